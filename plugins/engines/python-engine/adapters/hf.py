"""Transformers' AutoModelForCausalLM.generate, one batch after the other.

Options: model, hf_max_batch_size, tokenizer, tokenizer_mode, trust_remote_code, revision, dtype
(auto is float16), device, max_model_len, seed, and hf_enable_torch_compile, which compiles the
function forward of the model: generate() calls no other part of a compiled model.
"""
import copy

LARGEST_BATCH_TOKENS = 2048


def prompt_tokens_of(item):
    """The length of the prompt in the client's count, or 0."""
    if item.input_tokens is not None:
        return item.input_tokens
    return len(item.token_ids or ())


def batches_of(items, largest):
    """Groups of items, in order. An item begins a new group if the group is full, or if the
    longest prompt and the longest output of the group would have more than 2,048 tokens."""
    groups, prompt, output = [], 0, 0
    for item in items:
        length = prompt_tokens_of(item)
        longer = max(prompt, length), max(output, item.max_tokens)
        if not groups or len(groups[-1]) == largest or sum(longer) > LARGEST_BATCH_TOKENS:
            groups.append([])
            longer = length, item.max_tokens
        groups[-1].append(item)
        prompt, output = longer
    return groups


class Engine:
    capabilities = ("generate",)

    def __init__(self):
        import torch
        import transformers
        self._torch, self._transformers = torch, transformers
        self.version = "transformers %s, torch %s" % (transformers.__version__, torch.__version__)

    def load(self, options):
        torch, transformers = self._torch, self._transformers
        options = dict(options)
        model = options.pop("model", None)
        if not model:
            raise self._wrong("model", "is needed")
        self._largest = options.pop("hf_max_batch_size", None)
        if type(self._largest) is not int or self._largest < 1:
            raise self._wrong("hf_max_batch_size", "is needed: an integer from 1")
        if options.pop("tensor_parallel_size", 1) != 1:
            raise self._wrong("tensor_parallel_size", "is 1 for this engine")
        where = {"trust_remote_code": bool(options.pop("trust_remote_code", False))}
        if options.get("revision"):
            where["revision"] = options["revision"]
        options.pop("revision", None)
        tokenizer = options.pop("tokenizer", None) or model
        mode = options.pop("tokenizer_mode", "auto")
        length = options.pop("max_model_len", None)
        dtype = options.pop("dtype", "auto")
        compiled = options.pop("hf_enable_torch_compile", False)
        device = options.pop("device", None) or ("cuda" if torch.cuda.is_available() else "cpu")
        seed = options.pop("seed", None)
        if options:
            raise self._wrong(sorted(options)[0], "is not an option of this engine")
        if seed is not None:
            torch.manual_seed(seed)
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(
            tokenizer, use_fast=mode != "slow", padding_side="left", **where)
        self._model = transformers.AutoModelForCausalLM.from_pretrained(
            model, **{self._dtype_key(): self._dtype(dtype)}, **where).to(device).eval()
        if self._tokenizer.pad_token_id is None or self._model.config.model_type == "llama":
            # Without a token for the end, any token does: the mask hides it.
            self._tokenizer.pad_token = self._tokenizer.eos_token or \
                self._tokenizer.convert_ids_to_tokens(0)
        self._own_config = copy.deepcopy(self._model.generation_config)
        if compiled:
            self._model.forward = torch.compile(self._model.forward)
        self._device = device
        return {"max_model_len": length or getattr(self._model.config, "max_position_embeddings",
                                                   None)}

    @staticmethod
    def _wrong(option, reason):
        error = ValueError("%s %s" % (option, reason))
        error.option = option
        return error

    def _dtype_key(self):
        """The parameter torch_dtype is called dtype since version 4.56."""
        version = tuple(int(part) for part in self._transformers.__version__.split(".")[:2])
        return "dtype" if version >= (4, 56) else "torch_dtype"

    def _dtype(self, name):
        name = {"auto": "float16", "half": "float16", "float": "float32"}.get(name, name)
        dtype = getattr(self._torch, name, None)
        if not isinstance(dtype, self._torch.dtype):
            raise self._wrong("dtype", "%s is not a type of torch" % name)
        return dtype

    def prepare(self, batch):
        if batch.mode != "generate" or batch.is_async or batch.prequeue:
            raise NotImplementedError("the engine hf has only the mode generate")
        for item in batch.items:
            if (item.messages is not None or item.media or item.adapter or item.overrides
                    or item.priority is not None):
                raise NotImplementedError("item %d: the engine hf takes prompts without media,"
                                          " adapter, overrides and priority" % item.number)
        self._groups = batches_of(batch.items, self._largest)
        self._prompts = [[item.prompt if item.token_ids is None else item.token_ids
                          for item in group] for group in self._groups]
        self._model.generation_config = self._config_of(batch.sampling)

    def _config_of(self, sampling):
        """The model's own configuration, changed: values of a configuration that is passed to
        generate() would be replaced by the model's values if they are the general defaults, such
        as no token for the end of the text."""
        config = copy.deepcopy(self._own_config)
        if sampling["ignore_eos"]:
            config.eos_token_id = None
        config.pad_token_id = self._tokenizer.pad_token_id
        config.num_return_sequences, config.use_cache = sampling["n"], True
        config.do_sample = sampling["temperature"] > 0
        if config.do_sample:
            config.temperature, config.top_p = sampling["temperature"], sampling["top_p"]
        else:
            config.temperature = config.top_p = config.top_k = None
        return config

    def run(self, batch):
        self._made, done = [], 0
        for group, prompts in zip(self._groups, self._prompts):
            batch.check_cancelled()
            longest = max(item.max_tokens for item in group)
            self._made.append(self._generate(prompts, longest, batch.detokenize))
            done += len(group)
            batch.progress(done, batch.count)

    def _generate(self, prompts, longest, with_text):
        inputs = self._inputs(prompts).to(self._device)
        given, mask = inputs["input_ids"], inputs["attention_mask"]
        ids = self._model.generate(input_ids=given, attention_mask=mask, max_new_tokens=longest)
        if with_text:  # all tokens, with those of the prompt, as a part of the time
            self._tokenizer.batch_decode(ids, skip_special_tokens=True)
        # The time of the next batch does not begin before the results of this batch are here.
        return mask.sum(dim=1).tolist(), ids[:, given.shape[1]:].cpu()

    def _inputs(self, prompts):
        if all(isinstance(prompt, str) for prompt in prompts):
            return self._tokenizer(prompts, return_tensors="pt", padding=True)
        ids = [self._tokenizer(prompt)["input_ids"] if isinstance(prompt, str) else prompt
               for prompt in prompts]
        return self._tokenizer.pad({"input_ids": ids}, return_tensors="pt", padding=True)

    def results(self, batch):
        n = batch.sampling["n"]
        for group, (lengths, ids) in zip(self._groups, self._made):
            for i, item in enumerate(group):
                yield {"prompt_tokens": lengths[i],
                       "outputs": [self._output(ids[row].tolist(), item, batch.detokenize)
                                   for row in range(i * n, i * n + n)]}
        self._made = None

    def _output(self, ids, item, with_text):
        """A batch goes on until its longest output is complete: what is beyond the limit of an item
        or after the end of its text does not belong to it."""
        eos = self._model.generation_config.eos_token_id
        eos = set(eos if isinstance(eos, (list, tuple)) else [] if eos is None else [eos])
        ids = ids[:item.max_tokens]
        end = next((i + 1 for i, token in enumerate(ids) if token in eos), None)
        ids = ids[:end]
        return {"tokens": len(ids), "finished": True, "finish_reason": "stop" if end else "length",
                "text": self._tokenizer.decode(ids, skip_special_tokens=True) if with_text else ""}

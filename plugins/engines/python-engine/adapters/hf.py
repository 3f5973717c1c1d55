"""Transformers' AutoModelForCausalLM.generate, one batch after the other."""
import copy

LARGEST_BATCH_TOKENS = 2048


def batches_of(items, largest):
    """Groups of items, in order. An item begins a new group if the group is full, or if the
    longest prompt and the longest output of the group would have more than 2,048 tokens."""
    groups, prompt, output = [], 0, 0
    for item in items:
        longer = max(prompt, item.input_tokens or 0), max(output, item.max_tokens)
        if not groups or len(groups[-1]) == largest or sum(longer) > LARGEST_BATCH_TOKENS:
            groups.append([])
            longer = item.input_tokens or 0, item.max_tokens
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
        if not isinstance(self._largest, int) or self._largest < 1:
            raise self._wrong("hf_max_batch_size", "is needed: an integer from 1")
        if options.pop("tensor_parallel_size", 1) != 1:
            raise self._wrong("tensor_parallel_size", "is 1 for this engine")
        where = {"trust_remote_code": bool(options.pop("trust_remote_code", False)),
                 "revision": options.pop("revision", None)}
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
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        if compiled:
            self._model = torch.compile(self._model)
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
            if item.messages is not None or item.media or item.adapter or item.overrides:
                raise NotImplementedError("item %d: the engine hf takes prompts without media,"
                                          " adapter and overrides" % item.number)
        self._groups = batches_of(batch.items, self._largest)
        # Without ids for the end of the text, generation goes on to the wanted length.
        self._config = copy.deepcopy(self._model.generation_config)
        if batch.sampling["ignore_eos"]:
            self._config.eos_token_id = None
        self._config.pad_token_id = self._tokenizer.pad_token_id
        of = batch.sampling
        self._arguments = {"do_sample": of["temperature"] > 0, "num_return_sequences": of["n"],
                           "use_cache": True}
        if of["temperature"] > 0:
            self._arguments.update(temperature=of["temperature"], top_p=of["top_p"])

    def run(self, batch):
        self._made, done = [], 0
        for group in self._groups:
            batch.check_cancelled()
            self._made.append(self._generate(batch, group))
            done += len(group)
            batch.progress(done, batch.count)

    def _generate(self, batch, group):
        inputs = self._inputs(group).to(self._device)
        longest = max(item.max_tokens for item in group)
        ids = self._model.generate(**inputs, generation_config=self._config,
                                   max_new_tokens=longest, **self._arguments)
        texts = self._tokenizer.batch_decode(ids, skip_special_tokens=True) \
            if batch.detokenize else None
        # The time of the next batch does not begin before the results of this batch are here.
        return inputs["attention_mask"].sum(dim=1).tolist(), \
            ids[:, inputs["input_ids"].shape[1]:].cpu(), texts

    def _inputs(self, group):
        if all(item.prompt is not None for item in group):
            return self._tokenizer([item.prompt for item in group], return_tensors="pt",
                                   padding=True)
        ids = [item.token_ids or self._tokenizer(item.prompt)["input_ids"] for item in group]
        return self._tokenizer.pad({"input_ids": ids}, return_tensors="pt", padding=True)

    def results(self, batch):
        n = batch.sampling["n"]
        for group, (lengths, ids, texts) in zip(self._groups, self._made):
            for i, _ in enumerate(group):
                rows = range(i * n, i * n + n)
                yield {"prompt_tokens": lengths[i],
                       "outputs": [self._output(ids[row].tolist(), texts[row] if texts else "")
                                   for row in rows]}
        self._made = None

    def _output(self, ids, text):
        """An output that ended early is filled up with the token for padding."""
        eos = self._config.eos_token_id
        eos = set(eos if isinstance(eos, (list, tuple)) else [] if eos is None else [eos])
        end = next((i + 1 for i, token in enumerate(ids) if token in eos), None)
        return {"tokens": end or len(ids), "text": text, "finished": True,
                "finish_reason": "stop" if end else "length"}

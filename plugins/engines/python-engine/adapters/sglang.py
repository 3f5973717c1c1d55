"""SGLang's class Engine: generate with the whole list, or one stream for each request."""
import asyncio

from inferbench_worker import media
from inferbench_worker.streams import Streams

# Names of vLLM's options, which are those of inferbench, and of SGLang's.
_NAMES = {"model": "model_path", "tokenizer": "tokenizer_path", "tensor_parallel_size": "tp_size",
          "pipeline_parallel_size": "pp_size", "data_parallel_size": "dp_size",
          "max_model_len": "context_length", "gpu_memory_utilization": "mem_fraction_static",
          "seed": "random_seed", "enforce_eager": "disable_cuda_graph",
          "max_num_seqs": "max_running_requests", "max_loras": "max_loras_per_batch"}


def renamed(options):
    """The options as arguments of SGLang's ServerArgs; names that are not vLLM's stay."""
    made = {_NAMES.get(name, name): value for name, value in options.items()}
    if "enable_prefix_caching" in made:
        made["disable_radix_cache"] = not made.pop("enable_prefix_caching")
    return made


class Engine:
    capabilities = ("generate", "chat", "async", "adapters", "profile")

    def __init__(self):
        import sglang
        self._engine_class = sglang.Engine
        self.version = "sglang %s" % getattr(sglang, "__version__", "")

    def load(self, options):
        arguments = renamed(options)
        self._without_text = bool(arguments.get("skip_tokenizer_init"))
        # The engine takes the current event loop, on which its asynchronous calls have to run.
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._engine = self._engine_class(**arguments)
        self._loop = getattr(self._engine, "loop", self._loop)
        self._streams = Streams(self._loop)
        config = getattr(self._manager(), "model_config", None)
        return {"max_model_len": getattr(config, "context_len", None),
                "max_adapters": arguments.get("max_loras_per_batch")}

    def _manager(self):
        return getattr(self._engine, "tokenizer_manager", None)

    def prepare(self, batch):
        if batch.mode == "beam_search" or batch.prequeue:
            raise NotImplementedError("the engine sglang has neither beam search nor a queue"
                                      " before the clock")
        if not batch.detokenize and not self._without_text:
            raise NotImplementedError("SGLang converts to text unless it is constructed with"
                                      " skip_tokenizer_init")
        self._prompts = self._inputs(batch)
        self._params = [self._sampling(batch.sampling, item) for item in batch.items]
        self._more = self._extras(batch)

    def _inputs(self, batch):
        """The argument of generate for the prompts: texts, or token ids if any prompt has ids."""
        tokenizer = getattr(self._manager(), "tokenizer", None)
        texts = [item.prompt if item.messages is None and batch.mode == "generate" else
                 tokenizer.apply_chat_template(self._messages(item), tokenize=False,
                                               add_generation_prompt=True)
                 for item in batch.items]
        if None not in texts:
            return "prompt", texts
        return "input_ids", [tokenizer.encode(text) if text is not None else item.token_ids
                             for text, item in zip(texts, batch.items)]

    @staticmethod
    def _messages(item):
        if item.media:
            raise NotImplementedError("item %d: chat of the engine sglang takes no media"
                                      % item.number)
        if item.messages is not None:
            return item.messages
        if item.prompt is None:
            raise NotImplementedError("a chat needs a prompt as text; item %d has token ids"
                                      % item.number)
        return [{"role": "user", "content": item.prompt}]

    @staticmethod
    def _sampling(of, item):
        return dict({"n": of["n"], "temperature": of["temperature"], "top_p": of["top_p"],
                     "ignore_eos": of["ignore_eos"], "max_new_tokens": item.max_tokens},
                    **item.overrides)

    @staticmethod
    def _extras(batch):
        """Further lists of arguments of generate, with one entry for each item."""
        made = {}
        for kind in ("image", "audio", "video"):
            lists = [[media.url_of(m) for m in item.media if m.kind == kind]
                     for item in batch.items]
            if any(lists):
                made[kind + "_data"] = lists
        if any(item.adapter for item in batch.items):
            made["lora_path"] = [item.adapter.path if item.adapter else None
                                 for item in batch.items]
        return made

    def run(self, batch):
        key, prompts = self._prompts
        if batch.is_async:
            streams = [self._stream(number) for number in range(batch.count)]
            self._made = self._streams.drain(batch, streams)
            return
        outputs = self._engine.generate(**{key: prompts}, sampling_params=self._params,
                                        **self._more)
        # With n > 1 the outputs of a request follow each other.
        n = batch.sampling["n"]
        self._made = [outputs[i:i + n] for i in range(0, len(outputs), n)]

    async def _stream(self, number):
        key, prompts = self._prompts
        more = {name: values[number] for name, values in self._more.items()}
        made = {}
        async for output in await self._engine.async_generate(
                **{key: prompts[number]}, sampling_params=self._params[number], stream=True,
                **more):
            index, tokens = output.get("index", 0) or 0, output["meta_info"]["completion_tokens"]
            new, made[index] = tokens - made.get(index, 0), tokens
            yield index, new, output

    def results(self, batch):
        made, self._made = self._made, None
        for outputs in made:
            yield {"prompt_tokens": outputs[0]["meta_info"].get("prompt_tokens"),
                   "outputs": [self._output(output) for output in outputs]}

    @staticmethod
    def _output(output):
        reason = output["meta_info"].get("finish_reason") or {}
        return {"tokens": output["meta_info"].get("completion_tokens"),
                "text": output.get("text") or "", "finished": bool(reason),
                "finish_reason": reason.get("type", "") if isinstance(reason, dict)
                else str(reason)}

    def cancel(self):
        self._streams.cancel()

    def start_profile(self):
        self._engine.start_profile()

    def stop_profile(self):
        self._engine.stop_profile()

    def close(self):
        self._engine.shutdown()

"""SGLang's class Engine: generate with the whole list, or one stream for each request."""
import asyncio
import os

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
    made.pop("enable_mm_processor_stats", None)
    if made.get("tokenizer_mode") not in ("auto", "slow"):  # the other modes are those of the client
        made.pop("tokenizer_mode", None)
    return made


class Engine:
    capabilities = ("generate", "chat", "async", "adapters", "profile", "submit")

    def __init__(self):
        import sglang
        self._engine_class = sglang.Engine
        self.version = "sglang %s" % getattr(sglang, "__version__", "")

    def load(self, options):
        arguments = renamed(options)
        self._without_text = bool(arguments.get("skip_tokenizer_init"))
        self._in_differences = any(arguments.get(name) for name in (
            "incremental_streaming_output", "stream_output"))  # the second in older versions
        # The engine takes the current event loop, on which its asynchronous calls have to run.
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self._engine = self._engine_class(**arguments)
        self.loop = getattr(self._engine, "loop", self.loop)
        self._streams = Streams(self.loop)
        self._loaded = {}  # adapters by name
        config = getattr(self._manager(), "model_config", None)
        return {"max_model_len": getattr(config, "context_len", None),
                "max_adapters": arguments.get("max_loras_per_batch"), "profiler": "torch",
                "profile_path": os.environ.get("SGLANG_TORCH_PROFILER_DIR", "/tmp")}

    def _manager(self):
        return getattr(self._engine, "tokenizer_manager", None)

    def prepare(self, batch):
        if batch.mode == "beam_search" or batch.prequeue:
            raise NotImplementedError("the engine sglang has neither beam search nor a queue"
                                      " before the clock")
        self._check_text(batch)
        self._prompts = self._inputs(batch.items, batch.mode == "chat")
        self._params = [self._sampling(batch.sampling, item) for item in batch.items]
        self._more = self._extras(batch.items)

    def _check_text(self, of):
        if not of.detokenize and not self._without_text:
            raise NotImplementedError("SGLang converts to text unless it is constructed with"
                                      " skip_tokenizer_init")

    def _inputs(self, items, is_chat):
        """The argument of generate for the prompts: texts, or token ids if any prompt has ids."""
        tokenizer = getattr(self._manager(), "tokenizer", None)
        texts = [tokenizer.apply_chat_template(self._messages(item), tokenize=False,
                                               add_generation_prompt=True)
                 if is_chat or item.messages is not None else item.prompt for item in items]
        if None not in texts:
            return "prompt", texts
        return "input_ids", [tokenizer.encode(text) if text is not None else item.token_ids
                             for text, item in zip(texts, items)]

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

    def _extras(self, items):
        """Further lists of arguments of generate, with one entry for each item."""
        if any(item.priority is not None for item in items):
            raise NotImplementedError("the engine sglang takes no priorities here")
        made = {}
        for kind in ("image", "audio", "video"):
            lists = [[media.url_of(m) for m in item.media if m.kind == kind] for item in items]
            if any(lists):
                made[kind + "_data"] = lists
        if any(item.adapter for item in items):
            for item in items:
                self._load_adapter(item.adapter)
            made["lora_path"] = [item.adapter.name if item.adapter else None for item in items]
        return made

    def _load_adapter(self, adapter):
        """Requests name an adapter that the engine has loaded."""
        if adapter is None or adapter.name in self._loaded:
            return
        result = self._engine.load_lora_adapter(adapter.name, adapter.path)
        if not getattr(result, "success", True):
            raise RuntimeError("SGLang cannot load the adapter %s: %s"
                               % (adapter.path, getattr(result, "error_message", "")))
        self._loaded[adapter.name] = adapter.path

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

    async def submit(self, item, call):
        """A request of a schedule."""
        self._check_text(call)
        if item.adapter:
            raise NotImplementedError("adapters are for batches only")
        key, prompts = self._inputs([item], False)
        more = {name: values[0] for name, values in self._extras([item]).items()}
        last, tokens = {}, {}
        async for output in await self._engine.async_generate(
                **{key: prompts[0]}, sampling_params=self._sampling(call.sampling, item),
                stream=True, **more):
            index, made = output.get("index", 0) or 0, output["meta_info"]["completion_tokens"]
            text, before = output.get("text") or "", last.get(index)
            if before is not None and not self._in_differences:
                text = text[len(before.get("text") or ""):]
            call.text(text, made - tokens.get(index, 0), index)
            last[index], tokens[index] = output, made
        if not last:
            return {"error": "the engine returned no output"}
        outputs = [self._output(output) for _, output in sorted(last.items())]
        return {"prompt_tokens": last[min(last)]["meta_info"].get("prompt_tokens"),
                "outputs": outputs}

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

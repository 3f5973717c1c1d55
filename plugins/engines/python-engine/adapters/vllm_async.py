"""vLLM's asynchronous engine: every request is submitted by itself, and all streams are drained."""
import asyncio
import inspect

from inferbench_worker import vllm_objects
from inferbench_worker.streams import Streams


class Engine:
    capabilities = ("generate", "async", "adapters", "profile", "submit")

    def __init__(self):
        from vllm import SamplingParams  # noqa: F401, an import error belongs here
        from vllm.engine.arg_utils import AsyncEngineArgs
        try:
            from vllm.v1.engine.async_llm import AsyncLLM
        except ImportError:  # versions before the second engine
            from vllm.engine.async_llm_engine import AsyncLLMEngine as AsyncLLM
        self._engine_class, self._arguments = AsyncLLM, AsyncEngineArgs
        self.version = vllm_objects.version()

    def load(self, options):
        arguments = self._arguments(**vllm_objects.with_model(options, self._arguments))
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self._streams = Streams(self.loop)
        self._engine = self.loop.run_until_complete(self._construct(arguments))
        self._ready = vllm_objects.described(self.loop.run_until_complete(self._config()))
        return self._ready

    async def _construct(self, arguments):
        return self._engine_class.from_engine_args(arguments)

    async def _config(self):
        config = getattr(self._engine, "vllm_config", None)
        return config if config is not None else await self._engine.get_vllm_config()

    def prepare(self, batch):
        if batch.mode != "generate" or batch.prequeue:
            raise NotImplementedError("the engine vllm-async has only the mode generate")
        if batch.profile:
            vllm_objects.require_profiler(self._ready)
        self._requests = [(vllm_objects.prompt(item), vllm_objects.sampling(batch, item),
                           vllm_objects.lora(item), self._scheduled(item)) for item in batch.items]

    def _scheduled(self, item):
        return vllm_objects.scheduled(self._engine.generate, item.priority)

    def run(self, batch):
        streams = [self._stream(batch, number) for number in range(batch.count)]
        self._last = self._streams.drain(batch, streams)

    async def _stream(self, batch, number):
        prompt, params, lora, more = self._requests[number]
        made = {}
        async for output in self._engine.generate(
                prompt, params, "%s%d" % (batch.request_id_prefix, number), lora_request=lora, **more):
            for one in output.outputs:
                before = made.get(one.index, 0)
                made[one.index] = len(one.token_ids)
                yield one.index, made[one.index] - before, (output, one)

    def results(self, batch):
        for last in self._last:
            if not last:
                yield {"error": "the engine returned no output"}
                continue
            # With n > 1 the engine may report each output by itself.
            made = vllm_objects.result(last[-1][0])
            made["outputs"] = [{"tokens": len(one.token_ids), "text": one.text or "",
                                "finish_reason": one.finish_reason or "",
                                "finished": one.finish_reason is not None} for _, one in last]
            yield made
        self._last = None

    async def submit(self, item, call):
        """A request of a schedule. Its outputs are differences, as a server streams them."""
        from vllm.sampling_params import RequestOutputKind
        params = vllm_objects.sampling(call, item, output_kind=RequestOutputKind.DELTA)
        prompt = await self._prompt(item)
        tokens, last, output = {}, {}, None
        async for output in self._engine.generate(prompt, params, "request%d" % call.number,
                                                  lora_request=vllm_objects.lora(item),
                                                  **self._scheduled(item)):
            for one in output.outputs:
                tokens[one.index] = tokens.get(one.index, 0) + len(one.token_ids)
                last[one.index] = one
                call.text(one.text, len(one.token_ids), one.index)
        if output is None:
            return {"error": "the engine returned no output"}
        made = vllm_objects.result(output)
        made["outputs"] = [{"tokens": tokens[index], "finish_reason": one.finish_reason or "",
                            "finished": one.finish_reason is not None}
                           for index, one in sorted(last.items())]
        return made

    async def _prompt(self, item):
        """A conversation becomes token ids here, since the engine takes prompts only."""
        if item.messages is None:
            return vllm_objects.prompt(item)
        if item.media:
            raise NotImplementedError("a chat with media; the engine vllm-async takes text only")
        tokenizer = self._engine.get_tokenizer()
        if inspect.isawaitable(tokenizer):  # in older versions
            tokenizer = await tokenizer
        return {"prompt_token_ids": tokenizer.apply_chat_template(
            item.messages, add_generation_prompt=True, tokenize=True, return_dict=False)}

    def cancel(self):
        self._streams.cancel()

    def start_profile(self):
        vllm_objects.require_profiler(self._ready)
        self.loop.run_until_complete(self._engine.start_profile())

    def stop_profile(self):
        self.loop.run_until_complete(self._engine.stop_profile())

    def close(self):
        if hasattr(self._engine, "shutdown"):
            self._engine.shutdown()

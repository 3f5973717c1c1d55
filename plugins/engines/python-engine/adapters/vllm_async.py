"""vLLM's asynchronous engine: every request is submitted by itself, and all streams are drained."""
import asyncio

from inferbench_worker import vllm_objects
from inferbench_worker.streams import Streams


class Engine:
    capabilities = ("generate", "async", "adapters", "profile")

    def __init__(self):
        from vllm import SamplingParams  # noqa: F401, an import error belongs here
        from vllm.engine.arg_utils import AsyncEngineArgs
        from vllm.engine.async_llm_engine import AsyncLLMEngine
        self._engine_class, self._arguments = AsyncLLMEngine, AsyncEngineArgs
        self.version = vllm_objects.version()

    def load(self, options):
        arguments = self._arguments(**vllm_objects.with_model(options, self._arguments))
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._streams = Streams(self._loop)
        self._engine = self._loop.run_until_complete(self._construct(arguments))
        return vllm_objects.described(self._loop.run_until_complete(self._config()))

    async def _construct(self, arguments):
        return self._engine_class.from_engine_args(arguments)

    async def _config(self):
        config = getattr(self._engine, "vllm_config", None)
        return config if config is not None else await self._engine.get_vllm_config()

    def prepare(self, batch):
        if batch.mode != "generate" or batch.prequeue:
            raise NotImplementedError("the engine vllm-async has only the mode generate")
        self._requests = [(vllm_objects.prompt(item), vllm_objects.sampling(batch, item),
                           vllm_objects.lora(item)) for item in batch.items]

    def run(self, batch):
        streams = [self._stream(batch, number) for number in range(batch.count)]
        self._last = self._streams.drain(batch, streams)

    async def _stream(self, batch, number):
        prompt, params, lora = self._requests[number]
        made = {}
        async for output in self._engine.generate(
                prompt, params, "%s%d" % (batch.request_id_prefix, number), lora_request=lora):
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

    def cancel(self):
        self._streams.cancel()

    def start_profile(self):
        self._loop.run_until_complete(self._engine.start_profile())

    def stop_profile(self):
        self._loop.run_until_complete(self._engine.stop_profile())

    def close(self):
        if hasattr(self._engine, "shutdown"):
            self._engine.shutdown()

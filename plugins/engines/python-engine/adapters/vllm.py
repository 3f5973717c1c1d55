"""vLLM's class LLM: generate, chat, beam_search, and requests that are queued before the clock."""
import inspect

from inferbench_worker import media, vllm_objects, vllm_stages
from inferbench_worker.items import Cancelled


class Engine:
    def __init__(self):
        from vllm import LLM, SamplingParams  # noqa: F401, an import error belongs here
        from vllm.engine.arg_utils import EngineArgs
        self._llm_class, self._arguments = LLM, EngineArgs
        self.version = vllm_objects.version()
        self.capabilities = ("generate", "chat", "beam_search", "adapters", "profile")
        if self._has("enqueue"):
            self.capabilities += ("prequeue",)
        self._paused = self._unusable = False

    def _has(self, function):
        """Whether this version can queue requests while the scheduler is paused."""
        needed = (function, "wait_for_completion", "sleep", "wake_up")
        return all(hasattr(self._llm_class, name) for name in needed)

    def load(self, options):
        if hasattr(self._llm_class, "from_engine_args"):
            arguments = self._arguments(**vllm_objects.with_model(options, self._arguments))
            self._llm = self._llm_class.from_engine_args(arguments)
        else:
            parameters = inspect.signature(self._llm_class.__init__).parameters
            self._llm = self._llm_class(
                **vllm_objects.with_defaults(options, self._arguments, parameters))
        self._with_stages = bool(options.get("enable_mm_processor_stats"))
        self._ready = vllm_objects.described(self._llm.llm_engine.vllm_config)
        return self._ready

    def prepare(self, batch):
        if self._unusable:
            raise RuntimeError("the engine still has requests of a batch that was cancelled")
        if self._paused:  # for a batch that was cancelled before its first request
            self._resume()
        if batch.is_async:
            raise NotImplementedError("class LLM is not asynchronous; the engine vllm-async is")
        if batch.profile:
            vllm_objects.require_profiler(self._ready)
        self._loras = vllm_objects.loras(batch)
        self._priorities = vllm_objects.priorities(batch)
        if batch.mode == "beam_search":
            self._call = self._beam_search(batch)
            return
        params = [vllm_objects.sampling(batch, item) for item in batch.items]
        if batch.mode == "chat":
            self._call = self._of_messages(batch, params)
        else:
            self._call = self._of_prompts(batch, params)
        if self._with_stages:
            vllm_stages.taken(self._llm.llm_engine)  # those of the start and of earlier batches
        if batch.prequeue:
            self._pause()

    def _pause(self):
        """Level 0 of sleep pauses the scheduler and keeps all memory; requests are still taken."""
        takes_mode = "mode" in inspect.signature(self._llm.sleep).parameters
        self._llm.sleep(level=0, **({"mode": "keep"} if takes_mode else {}))
        self._paused = True

    def _resume(self):
        self._llm.wake_up(tags=["scheduling"])
        self._paused = False

    def _of_prompts(self, batch, params):
        prompts = [vllm_objects.prompt(item) for item in batch.items]
        function = self._llm.enqueue if batch.prequeue else self._llm.generate
        more = vllm_objects.scheduled(function, self._priorities)
        return lambda progress: function(prompts, params, use_tqdm=progress,
                                         lora_request=self._loras, **more)

    def _of_messages(self, batch, params):
        if batch.prequeue and not self._has("enqueue_chat"):
            raise NotImplementedError("this version of vLLM queues no chats before the clock")
        conversations = [media.messages_of(item) for item in batch.items]
        function = self._llm.enqueue_chat if batch.prequeue else self._llm.chat
        loras = self._loras_for(function)
        more = vllm_objects.scheduled(function, self._priorities)
        return lambda progress: function(conversations, params, use_tqdm=progress,
                                         lora_request=loras, **more)

    def _loras_for(self, function):
        if self._loras is None or vllm_objects.takes_many_loras(function):
            return self._loras
        if len({of.lora_int_id if of else 0 for of in self._loras}) > 1:
            raise NotImplementedError("different adapters in one batch of this mode")
        return self._loras[0]

    def _beam_search(self, batch):
        from vllm.sampling_params import BeamSearchParams
        if batch.prequeue:
            raise NotImplementedError("beam search cannot be queued before the clock")
        limits = {item.max_tokens for item in batch.items}
        if len(limits) > 1:
            raise NotImplementedError("beam search needs one max_tokens for all requests")
        params = BeamSearchParams(beam_width=batch.sampling["beam_width"], max_tokens=limits.pop(),
                                  ignore_eos=batch.sampling["ignore_eos"])
        prompts = [vllm_objects.prompt(item) for item in batch.items]
        more = vllm_objects.scheduled(self._llm.beam_search, self._priorities)
        if self._loras is not None:
            more["lora_request"] = self._loras_for(self._llm.beam_search)
        return lambda progress: self._llm.beam_search(prompts, params, **more)

    def run(self, batch):
        progress = self._progress(batch)
        try:
            if not batch.prequeue:
                self._outputs = self._call(progress)
                return
            try:
                self._call(False)
            finally:
                self._resume()
            self._outputs = self._llm.wait_for_completion(use_tqdm=progress)
        except Cancelled:
            self._unusable = True
            raise

    def _progress(self, batch):
        """A class in place of tqdm; versions that take only a boolean show nothing."""
        parameter = inspect.signature(self._llm.generate).parameters["use_tqdm"]
        if "Callable" not in str(parameter.annotation):
            return False

        class Progress:
            """Around the prompts that are added, and as the counter of finished requests."""

            def __init__(self, iterable=(), *_, **__):
                self._iterable = iterable
                self.n, self.postfix = 0, ""
                self.format_dict = {"elapsed": 1}
                self._requests = 0

            def __iter__(self):
                for thing in self._iterable:
                    batch.check_cancelled()
                    yield thing

            def update(self, n=1):
                """A request has finished, with n outputs."""
                self.n += n
                self._requests += 1
                batch.check_cancelled()
                batch.progress(min(self._requests, batch.count), batch.count)

            def __getattr__(self, name):
                if name.startswith("__"):
                    raise AttributeError(name)
                return lambda *_, **__: None  # refresh, close, and others that only draw

        return Progress

    def results(self, batch):
        outputs, self._outputs = self._outputs, None
        if batch.mode == "beam_search":
            yield from map(self._beams, batch.items, outputs)
            return
        stages = [{}] * len(outputs)
        if self._with_stages:
            stages, lost = vllm_stages.for_outputs(vllm_stages.taken(self._llm.llm_engine),
                                                   batch.items, outputs)
            if lost:
                batch.log("warning", "vLLM has stages of %d requests that are not those of this"
                          " batch" % lost)
        for output, values in zip(outputs, stages):
            yield dict(vllm_objects.result(output), measures=vllm_stages.measures(values))

    def _beams(self, item, output):
        """A sequence contains the prompt."""
        ids = item.token_ids
        if ids is None and not item.media:
            ids = self._llm.get_tokenizer().encode(item.prompt)
        length = item.input_tokens if ids is None else len(ids)
        return {"prompt_tokens": length, "outputs": [
            {"tokens": None if length is None else max(0, len(beam.tokens) - length),
             "text": beam.text or "", "finish_reason": beam.finish_reason or "", "finished": True}
            for beam in output.sequences]}

    def start_profile(self):
        vllm_objects.require_profiler(self._ready)
        self._llm.start_profile()

    def stop_profile(self):
        self._llm.stop_profile()

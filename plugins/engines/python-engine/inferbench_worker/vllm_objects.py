"""What the adapters of vLLM share: items as vLLM's objects, and vLLM's outputs as results. The
package vllm is imported by the adapters before any function is called."""
import dataclasses
import os
import time

from . import media


def version():
    import vllm
    return "vllm %s" % getattr(vllm, "__version__", "")


def with_model(options, engine_args):
    """The options, with the default model of vLLM if there is none."""
    return dict({"model": engine_args.model}, **options)


def sampling(batch, item):
    from vllm import SamplingParams
    of = batch.sampling
    return SamplingParams(**dict(
        {"n": of["n"], "temperature": of["temperature"], "top_p": of["top_p"],
         "ignore_eos": of["ignore_eos"], "max_tokens": item.max_tokens,
         "detokenize": batch.detokenize}, **item.overrides))


def prompt(item):
    from vllm.inputs import TextPrompt, TokensPrompt
    if item.messages is not None:
        raise NotImplementedError("item %d has messages; vllm-chat takes messages" % item.number)
    ids = item.token_ids
    made = TextPrompt(prompt=item.prompt) if ids is None else TokensPrompt(prompt_token_ids=ids)
    if item.media:
        made["multi_modal_data"] = _multi_modal(item)
    return made


def _multi_modal(item):
    from vllm.multimodal import utils
    made = {}
    for medium in item.media:
        fetch = getattr(utils, "fetch_" + medium.kind)
        made.setdefault(medium.kind, []).append(fetch(media.url_of(medium)))
    return {kind: values[0] if len(values) == 1 else values for kind, values in made.items()}


def lora(item):
    from vllm.lora.request import LoRARequest
    of = item.adapter
    return None if of is None else LoRARequest(of.name, of.number, of.path)


def loras(batch):
    """A list with one entry for each item, or None if no item has an adapter."""
    made = [lora(item) for item in batch.items]
    return made if any(made) else None


def described(config):
    """Keys of the frame ready from a VllmConfig; an old version without a part leaves it out."""
    ready = {"max_model_len": config.model_config.max_model_len, "measures": []}
    lora_config = getattr(config, "lora_config", None)
    if lora_config:
        ready["max_adapters"] = lora_config.max_loras
    compilation = getattr(config, "compilation_config", None)
    for name, attribute in (("compilation", "compilation_time"),
                            ("encoder_compilation", "encoder_compilation_time")):
        seconds = getattr(compilation, attribute, None)
        if seconds is not None:
            ready["measures"].append({"name": name, "unit": "s", "value": float(seconds)})
    profiler = getattr(config, "profiler_config", None)
    path = os.environ.get("VLLM_TORCH_PROFILER_DIR", "")  # versions before profiler_config
    ready["profiler"] = getattr(profiler, "profiler", None) or ("torch" if path else "")
    ready["profile_path"] = str(getattr(profiler, "torch_profiler_dir", None) or path)
    return ready


def times(metrics):
    """Times of a request from RequestOutput.metrics, whose class differs between versions."""
    first, last = getattr(metrics, "first_token_ts", 0), getattr(metrics, "last_token_ts", 0)
    if first and last:  # the clock of the engine's core, which is monotonic
        began = first - metrics.first_token_latency
        return _stamps(began, first, last, 0)
    first, last = getattr(metrics, "first_token_time", 0), getattr(metrics, "last_token_time", 0)
    if first and last:  # time.time()
        return _stamps(metrics.arrival_time, first, last, time.monotonic() - time.time())
    return {}


def _stamps(arrived, first, last, offset):
    nanoseconds = [max(0, int((moment + offset) * 1e9)) for moment in (arrived, first, last)]
    return dict(zip(("arrived_ns", "first_token_ns", "last_token_ns"), nanoseconds))


def result(output, stages=None):
    """A RequestOutput as a result; stages are numbers by name, or None."""
    made = {"prompt_tokens": len(output.prompt_token_ids) if output.prompt_token_ids is not None
            else None,
            "outputs": [{"tokens": len(one.token_ids), "text": one.text or "",
                         "finish_reason": one.finish_reason or "", "finished": output.finished}
                        for one in output.outputs]}
    if output.metrics is not None:
        made.update(times(output.metrics))
    if stages:
        made["measures"] = [
            {"name": name, "unit": "s" if name.endswith(("_secs", "_time")) else "1",
             "value": value} for name, value in stages.items()]
    return made


def multi_modal_stages(engine):
    """Stages by request id, which vLLM collects with enable_mm_processor_stats: those of the
    processor, and the largest values of the workers' encoders. Reading removes them."""
    renderer = getattr(engine, "renderer", None)
    registry = getattr(renderer, "_mm_timing_registry", None)
    stages = {name: dict(values) for name, values in (registry.stat() if registry else {}).items()}
    for worker in engine.collective_rpc("get_encoder_timing_stats"):
        for name, values in (worker or {}).items():
            # The ids of the encoder have a suffix if the ids of the processor have none.
            short = name.rpartition("-")[0]
            of = stages.setdefault(short if name not in stages and short in stages else name, {})
            for stage, value in values.items():
                of[stage] = max(of.get(stage, 0), value)
    return stages


def stages_of(stages, request_id):
    """The stages of a request, whose id may lack the suffix that the stages have."""
    if request_id in stages:
        return stages[request_id]
    return next((values for name, values in stages.items()
                 if name.rpartition("-")[0] == request_id), None)


def with_defaults(options, engine_args, parameters):
    """The options for LLM(...), with the defaults of EngineArgs, which are those of the server,
    for all parameters whose default LLM itself changes."""
    made = with_model(options, engine_args)
    changed = set(parameters) | {"disable_log_stats"}  # without its default there are no times
    for field in dataclasses.fields(engine_args):
        if field.name in changed and field.name not in made and \
                field.default is not dataclasses.MISSING:
            made[field.name] = field.default
    return made

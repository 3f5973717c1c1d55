"""Items as vLLM's objects, and vLLM's outputs as results, for the adapters of vLLM. They import the
package vllm before they call any function."""
import dataclasses
import inspect
import os
import time

from . import media


def version():
    import vllm
    return "vllm %s" % getattr(vllm, "__version__", "")


def with_model(options, engine_args):
    """The options, with the default model of vLLM if there is none."""
    return dict({"model": engine_args.model}, **options)


def sampling(of, item, **more):
    """SamplingParams of an item; of is a batch, or the call of a single request."""
    from vllm import SamplingParams
    given = of.sampling
    return SamplingParams(**dict(
        {"n": given["n"], "temperature": given["temperature"], "top_p": given["top_p"],
         "ignore_eos": given["ignore_eos"], "max_tokens": item.max_tokens,
         "detokenize": of.detokenize}, **dict(item.overrides, **more)))


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
    return None if of is None else LoRARequest(lora_name=of.name, lora_int_id=of.number,
                                               lora_path=of.path)


def loras(batch):
    """A list with one entry for each item, or None if no item has an adapter."""
    made = [lora(item) for item in batch.items]
    return made if any(made) else None


def priorities(batch):
    """A list with one entry for each item, or None if no item has a priority."""
    made = [item.priority for item in batch.items]
    return None if all(each is None for each in made) else [each or 0 for each in made]


def scheduled(function, values):
    """The argument of a function of vLLM for priorities, a list or a number; None: nothing."""
    if values is None:
        return {}
    if "priority" not in inspect.signature(function).parameters:
        raise NotImplementedError("this version of vLLM takes no priorities in %s"
                                  % function.__name__)
    return {"priority": values}


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
    kind = ready["profiler"] = getattr(profiler, "profiler", None) or ("torch" if path else "")
    ready["profile_path"] = str(getattr(profiler, "%s_profiler_dir" % kind, None) or path)
    return ready


def require_profiler(ready):
    """ready is the result of described(). Without a profiler, vLLM fails when a profile starts."""
    if not ready["profiler"]:
        raise NotImplementedError(
            "vLLM has no profiler; configure it with --profiler-config.profiler torch"
            " --profiler-config.torch-profiler-dir DIR")


def times(metrics):
    """Times of a request from RequestOutput.metrics, whose class differs between versions.

    RequestStateStats has two clocks: first_token_ts and last_token_ts are time.monotonic() of the
    engine's core, which is one clock for all processes of a machine; arrival_time is time.time().
    first_token_latency is the difference of two times of time.time() in the front end, so the
    arrival is counted back from the first token: last token less arrival is then the latency that
    vLLM's own benchmarks report. RequestMetrics of older versions has time.time() only."""
    first, last = getattr(metrics, "first_token_ts", 0), getattr(metrics, "last_token_ts", 0)
    latency = getattr(metrics, "first_token_latency", None)
    if first and last:
        return _stamps(first - latency if latency else 0, first, last, 0)
    first, last = getattr(metrics, "first_token_time", 0), getattr(metrics, "last_token_time", 0)
    if first and last:
        return _stamps(metrics.arrival_time, first, last, time.monotonic() - time.time())
    return {}


def _stamps(arrived, first, last, offset):
    nanoseconds = [max(0, int((moment + offset) * 1e9)) if moment else 0
                   for moment in (arrived, first, max(first, last))]
    return dict(zip(("arrived_ns", "first_token_ns", "last_token_ns"), nanoseconds))


def result(output):
    """A RequestOutput as a result."""
    made = {"prompt_tokens": len(output.prompt_token_ids) if output.prompt_token_ids is not None
            else None,
            "outputs": [{"tokens": len(one.token_ids), "text": one.text or "",
                         "finish_reason": one.finish_reason or "", "finished": output.finished}
                        for one in output.outputs]}
    if output.metrics is not None:
        made.update(times(output.metrics))
    return made


def takes_many_loras(function):
    """Whether lora_request may be a list with one entry for each prompt: in older versions, chat
    and beam_search take one for all."""
    kind = str(inspect.signature(function).parameters["lora_request"].annotation)
    return "Sequence" in kind or "list" in kind.lower()


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

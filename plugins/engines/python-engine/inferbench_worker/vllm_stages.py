"""Stages of multimodal requests, which vLLM collects with enable_mm_processor_stats."""
import importlib


def taken(engine):
    """The stages by vLLM's names of requests, in order: those of the processor, then the largest
    values of the workers' encoders. Reading removes them. engine is an LLMEngine."""
    registry = getattr(getattr(engine, "renderer", None), "_mm_timing_registry", None)
    if registry is None:
        return _of_older_versions(engine)
    stages = {name: dict(values) for name, values in registry.stat().items()}
    for worker in engine.collective_rpc("get_encoder_timing_stats"):
        for name, values in (worker or {}).items():
            short = name.rpartition("-")[0]
            of = stages.setdefault(short if name not in stages and short in stages else name, {})
            for stage, value in values.items():
                of[stage] = max(of.get(stage, 0), value)
    return stages


def _of_older_versions(engine):
    for name in ("vllm.multimodal.processing.context", "vllm.multimodal.processing"):
        try:
            function = importlib.import_module(name).get_timing_stats_from_engine_client
        except (ImportError, AttributeError):
            continue
        return function(engine)
    return {}


def for_outputs(stages, items, outputs):
    """The stages of each output, as a list of dictionaries, and how many requests of stages belong
    to none. The encoder has the id of the request, with a suffix in newer versions. The processor
    numbers the requests with media itself, in their order."""
    made = [{} for _ in outputs]
    numbers = {output.request_id: i for i, output in enumerate(outputs)}
    unnamed = iter([i for i, item in zip(range(len(outputs)), items) if _has_media(item)])
    lost = 0
    for name, values in stages.items():
        number = numbers.get(name, numbers.get(name.rpartition("-")[0]))
        if number is None:
            number = next(unnamed, None)
        if number is None:
            lost += 1
        else:
            made[number].update(values)
    return made, lost


def _has_media(item):
    parts = [part for message in item.messages or () if isinstance(message.get("content"), list)
             for part in message["content"]]
    return bool(item.media) or any(
        isinstance(part, dict) and part.get("type", "text") != "text" for part in parts)


def measures(values):
    """Stages as measures of a result."""
    return [{"name": name, "unit": "s" if name.endswith(("_secs", "_time")) else "1",
             "value": value} for name, value in values.items()]

"""The options that load() of an adapter gets."""

# Options that describe the model and the benchmark. The commands pass them to every engine, also to
# one that has no use for them.
OF_COMMANDS = frozenset((
    "data_parallel_size", "distributed_executor_backend", "dtype", "enable_lora",
    "enable_mm_processor_stats", "enable_prefix_caching", "enforce_eager",
    "gpu_memory_utilization", "max_lora_rank", "max_loras", "model", "pipeline_parallel_size",
    "profiler_config", "revision", "seed", "tensor_parallel_size", "tokenizer", "tokenizer_mode",
    "tokenizer_revision", "trust_remote_code"))


class Options(dict):
    """The options by their names with "_"; an adapter may take them out."""

    def unknown(self):
        """The names that are left and that belong to the engine alone, in alphabetical order."""
        return sorted(name for name in self if name not in OF_COMMANDS)

// The options of the plugin reference-engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include <inferbench/options.hpp>

namespace reference_engine {

struct reference_options {
  std::chrono::nanoseconds ttft{};
  std::chrono::nanoseconds itl{};
  std::chrono::nanoseconds enqueue_time{};
  std::chrono::nanoseconds load{};
  std::chrono::nanoseconds compilation{};
  std::optional<std::chrono::nanoseconds> warm_compilation;
  std::chrono::nanoseconds encoder_compilation{};
  std::chrono::nanoseconds get_mm_hashes{};
  std::chrono::nanoseconds get_cache_missing_items{};
  std::chrono::nanoseconds apply_hf_processor{};
  std::chrono::nanoseconds merge_mm_kwargs{};
  std::chrono::nanoseconds apply_prompt_updates{};
  std::chrono::nanoseconds encoder_time{};
  std::int64_t max_model_len = 0;
  std::int64_t max_batch = 0;
  std::int64_t max_adapters = -1;  // no option: the engine's option max_loras
  std::optional<std::int64_t> stop_after;
  std::int64_t fail_every = 0;
  std::optional<std::int64_t> seed;
  ifb::path profile;
  bool real_time = false;
  bool ignore_eos = false;

  static constexpr auto schema() {
    using self = reference_options;
    constexpr double longest = 1e15;  // 11 days
    return std::tuple{
        ifb::option{"ttft", &self::ttft,
                    "From the start of a request to its first token, without media.", "\"50ms\""}
            .range(0, longest),
        ifb::option{"itl", &self::itl, "From one token of a request to the next.", "\"10ms\""}
            .range(0, longest),
        ifb::option{"max-batch", &self::max_batch, "Requests that run at once; others wait.", "256"}
            .range(1, 1e9),
        ifb::option{"enqueue-time", &self::enqueue_time,
                    "Time to add one request of a batch to the queue.", "\"0s\""}
            .range(0, longest),
        ifb::option{"max-model-len", &self::max_model_len,
                    "Most tokens of prompt and output together.", "131072"}
            .range(1, 1e7),
        ifb::option{"stop-after", &self::stop_after,
                    "Length after which an output ends by itself, unless the end of sequence is "
                    "ignored; by default each output has the wanted length."}
            .range(1, 1e7),
        ifb::option{"fail-every", &self::fail_every,
                    "Each N-th request fails when its first token is due; 0: none fails.", "0"}
            .range(0, 1e9)
            .value_name("N"),
        ifb::option{"seed", &self::seed,
                    "Seed of the texts; by default the seed of the run decides."}
            .range(0, 9e15),
        ifb::option{"real-time", &self::real_time,
                    "Sleeps until the computed times have come, also while the engine loads.",
                    "false"},
        ifb::option{"load", &self::load, "Time to load the engine, without compilation.", "\"0s\""}
            .range(0, longest),
        ifb::option{"compilation", &self::compilation, "Time to compile the model.", "\"0s\""}
            .range(0, longest),
        ifb::option{"warm-compilation", &self::warm_compilation,
                    "Time to compile the model in a start without a cache folder of its own; by "
                    "default the same."}
            .range(0, longest),
        ifb::option{"encoder-compilation", &self::encoder_compilation,
                    "Time to compile the encoder of media.", "\"0s\""}
            .range(0, longest),
        ifb::option{"get-mm-hashes", &self::get_mm_hashes,
                    "Time of the stage get_mm_hashes for each medium.", "\"0s\"", IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"get-cache-missing-items", &self::get_cache_missing_items,
                    "Time of the stage get_cache_missing_items for each medium.", "\"0s\"",
                    IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"apply-hf-processor", &self::apply_hf_processor,
                    "Time of the stage apply_hf_processor for each medium.", "\"5ms\"",
                    IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"merge-mm-kwargs", &self::merge_mm_kwargs,
                    "Time of the stage merge_mm_kwargs for each medium.", "\"0s\"",
                    IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"apply-prompt-updates", &self::apply_prompt_updates,
                    "Time of the stage apply_prompt_updates for each medium.", "\"0s\"",
                    IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"encoder-time", &self::encoder_time, "Time of the encoder for each medium.",
                    "\"20ms\"", IFB_OPT_ADVANCED}
            .range(0, longest),
        ifb::option{"profile", &self::profile,
                    "File for the profiler's trace in Chrome's format; without it there is no "
                    "profiler."}
            .value_name("FILE"),
        ifb::option{"ignore-eos", &self::ignore_eos,
                    "Ignores stop-after in requests that follow a schedule.", "false"}
            .general()};
  }
};

/// Lays the engine's options, a JSON object by names with '_' or '-', over `to`: max_model_len,
/// max_num_seqs (max-batch), max_loras and seed. Options of the commands that cannot have an effect
/// here, such as model, are accepted. An empty text is an empty object. Throws failure with
/// IFB_E_CONFIG for any other option and for a value of a wrong type or out of range.
void lay_engine_options(reference_options& to, std::string_view json);

}  // namespace reference_engine

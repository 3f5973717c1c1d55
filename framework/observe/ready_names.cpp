#include "observe/ready_names.hpp"

#include <array>

namespace inferbench::observe {

namespace {

constexpr bool counts = true;
constexpr auto mean = combination::mean;

constexpr std::string_view running = "running";
constexpr std::string_view waiting = "waiting";
constexpr std::string_view kv_usage = "kv_cache_usage";
constexpr std::string_view queries = "prefix_cache_queries";
constexpr std::string_view hits = "prefix_cache_hits";
constexpr std::string_view preemptions = "preemptions";
constexpr std::string_view drafted = "spec_decode_drafted";
constexpr std::string_view accepted = "spec_decode_accepted";
constexpr std::string_view prompt = "prompt_tokens";
constexpr std::string_view generated = "generation_tokens";
constexpr std::string_view power = "power_w";
constexpr std::string_view gpu_use = "gpu_utilization";
constexpr std::string_view gpu_memory = "gpu_memory_used";

constexpr std::string_view requests = "requests";
constexpr std::string_view tokens_s = "tokens/s";
constexpr std::string_view blocks_s = "blocks/s";
constexpr std::string_view each_s = "1/s";
constexpr std::string_view as_share = "1";

constexpr ready_name gauge(std::string_view server, std::string_view name, std::string_view unit,
                           std::string_view metric) {
  return {.server = server, .name = name, .unit = unit, .metric = metric};
}

constexpr ready_name share_of(std::string_view server, std::string_view name,
                              std::string_view metric) {
  return {.server = server, .name = name, .unit = as_share, .metric = metric, .combined = mean};
}

constexpr ready_name counter(std::string_view server, std::string_view name, std::string_view unit,
                             std::string_view metric, std::string_view plus = {}) {
  return {.server = server,
          .name = name,
          .unit = unit,
          .metric = metric,
          .counter = counts,
          .plus = plus};
}

constexpr ready_name labelled(ready_name row, std::string_view name, std::string_view value) {
  row.label_name = name;
  row.label_value = value;
  return row;
}

constexpr ready_name scaled(ready_name row, double scale, double most) {
  row.scale = scale;
  row.most = most;
  return row;
}

// The largest values that a GPU can report; DCGM's values for "not known" are far above.
constexpr double most_watts = 1e5;
constexpr double most_percent = 100;
constexpr double most_mebibytes = 1e9;
constexpr double most_millijoules = 9e18;

constexpr std::array all_ready_names{
    gauge("vllm", running, requests, "vllm:num_requests_running"),
    gauge("vllm", waiting, requests, "vllm:num_requests_waiting"),
    share_of("vllm", kv_usage, "vllm:kv_cache_usage_perc"),
    share_of("vllm", kv_usage, "vllm:gpu_cache_usage_perc"),
    counter("vllm", queries, tokens_s, "vllm:prefix_cache_queries_total"),
    counter("vllm", queries, tokens_s, "vllm:gpu_prefix_cache_queries_total"),
    counter("vllm", hits, tokens_s, "vllm:prefix_cache_hits_total"),
    counter("vllm", hits, tokens_s, "vllm:gpu_prefix_cache_hits_total"),
    counter("vllm", preemptions, each_s, "vllm:num_preemptions_total"),
    counter("vllm", drafted, tokens_s, "vllm:spec_decode_num_draft_tokens_total"),
    counter("vllm", accepted, tokens_s, "vllm:spec_decode_num_accepted_tokens_total"),
    counter("vllm", prompt, tokens_s, "vllm:prompt_tokens_total"),
    counter("vllm", generated, tokens_s, "vllm:generation_tokens_total"),

    gauge("sglang", running, requests, "sglang:num_running_reqs"),
    gauge("sglang", waiting, requests, "sglang:num_queue_reqs"),
    share_of("sglang", kv_usage, "sglang:token_usage"),
    counter("sglang", hits, tokens_s, "sglang:cached_tokens_total"),
    // The prompt tokens of finished requests, with those that came from the cache.
    counter("sglang", queries, tokens_s, "sglang:prompt_tokens_total"),
    counter("sglang", preemptions, each_s, "sglang:num_retracted_requests_total"),
    share_of("sglang", "spec_decode_acceptance_rate", "sglang:spec_accept_rate"),
    counter("sglang", prompt, tokens_s, "sglang:prompt_tokens_total"),
    counter("sglang", generated, tokens_s, "sglang:generation_tokens_total"),

    gauge("tgi", running, requests, "tgi_batch_current_size"),
    gauge("tgi", waiting, requests, "tgi_queue_size"),
    // The sums of histograms, which grow when a request ends.
    counter("tgi", prompt, tokens_s, "tgi_request_input_length_sum"),
    counter("tgi", generated, tokens_s, "tgi_request_generated_tokens_sum"),

    gauge("llama.cpp", running, requests, "llamacpp:requests_processing"),
    gauge("llama.cpp", waiting, requests, "llamacpp:requests_deferred"),
    share_of("llama.cpp", kv_usage, "llamacpp:kv_cache_usage_ratio"),
    // prompt_tokens_total does not include the tokens from the cache.
    counter("llama.cpp", queries, tokens_s, "llamacpp:prompt_tokens_total",
            "llamacpp:prompt_tokens_cached_total"),
    counter("llama.cpp", hits, tokens_s, "llamacpp:prompt_tokens_cached_total"),
    counter("llama.cpp", drafted, tokens_s, "llamacpp:spec_decode_num_draft_tokens_total"),
    counter("llama.cpp", accepted, tokens_s, "llamacpp:spec_decode_num_accepted_tokens_total"),
    counter("llama.cpp", prompt, tokens_s, "llamacpp:prompt_tokens_total"),
    counter("llama.cpp", generated, tokens_s, "llamacpp:tokens_predicted_total"),

    gauge("tensorrt-llm", running, requests, "trtllm_num_requests_running"),
    gauge("tensorrt-llm", waiting, requests, "trtllm_num_requests_waiting"),
    share_of("tensorrt-llm", kv_usage, "trtllm_kv_cache_utilization"),
    counter("tensorrt-llm", queries, blocks_s, "trtllm_kv_cache_reused_blocks_total",
            "trtllm_kv_cache_missed_blocks_total"),
    counter("tensorrt-llm", hits, blocks_s, "trtllm_kv_cache_reused_blocks_total"),
    counter("tensorrt-llm", drafted, tokens_s, "trtllm_spec_decode_num_draft_tokens_total"),
    counter("tensorrt-llm", accepted, tokens_s, "trtllm_spec_decode_num_accepted_tokens_total"),
    counter("tensorrt-llm", prompt, tokens_s, "trtllm_prompt_tokens_total"),
    counter("tensorrt-llm", generated, tokens_s, "trtllm_generation_tokens_total"),

    labelled(gauge("triton", running, requests, "nv_trt_llm_request_metrics"), "request_type",
             "scheduled"),
    labelled(gauge("triton", waiting, requests, "nv_trt_llm_request_metrics"), "request_type",
             "waiting"),
    gauge("triton", waiting, requests, "nv_inference_pending_request_count"),
    labelled(share_of("triton", kv_usage, "nv_trt_llm_kv_cache_block_metrics"),
             "kv_cache_block_type", "fraction"),
    labelled(counter("triton", prompt, tokens_s, "nv_llm_input_token_len_sum"),
             "response_metric_type", "total_input_tokens"),
    labelled(counter("triton", generated, tokens_s, "nv_llm_output_token_len_sum"),
             "response_metric_type", "total_output_tokens"),
    gauge("triton", power, "W", "nv_gpu_power_usage"),
    share_of("triton", gpu_use, "nv_gpu_utilization"),
    gauge("triton", gpu_memory, "B", "nv_gpu_memory_used_bytes"),

    scaled(gauge("dcgm", power, "W", "DCGM_FI_DEV_POWER_USAGE"), 1, most_watts),
    scaled(counter("dcgm", "energy_j", "J/s", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"), 1e-3,
           most_millijoules),
    scaled(share_of("dcgm", gpu_use, "DCGM_FI_DEV_GPU_UTIL"), 0.01, most_percent),
    scaled(gauge("dcgm", gpu_memory, "B", "DCGM_FI_DEV_FB_USED"), 1048576, most_mebibytes),

    gauge("node", "load1", "1", "node_load1"),
    gauge("node", "memory_available", "B", "node_memory_MemAvailable_bytes"),
};

constexpr std::array all_ready_ratios{
    ready_ratio{"prefix_hit_rate", hits, queries},
    ready_ratio{"spec_decode_acceptance_rate", accepted, drafted},
};

}  // namespace

std::span<const ready_name> ready_names() noexcept { return all_ready_names; }

std::span<const ready_ratio> ready_ratios() noexcept { return all_ready_ratios; }

}  // namespace inferbench::observe

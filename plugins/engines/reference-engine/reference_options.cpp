#include "reference_options.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <inferbench/json_reader.hpp>

namespace reference_engine {

namespace {

// Options that the commands themselves read or set.
constexpr std::array<std::string_view, 19> without_effect = {"data_parallel_size",
                                                             "distributed_executor_backend",
                                                             "dtype",
                                                             "enable_lora",
                                                             "enable_mm_processor_stats",
                                                             "enable_prefix_caching",
                                                             "enforce_eager",
                                                             "gpu_memory_utilization",
                                                             "max_lora_rank",
                                                             "model",
                                                             "pipeline_parallel_size",
                                                             "profiler_config",
                                                             "revision",
                                                             "scheduling_policy",
                                                             "tensor_parallel_size",
                                                             "tokenizer",
                                                             "tokenizer_mode",
                                                             "tokenizer_revision",
                                                             "trust_remote_code"};

std::int64_t whole_number(const std::string& name, const ifb::json_value& value, std::int64_t least,
                          std::int64_t most) {
  if (!value.IsInt64())
    throw ifb::failure{
        IFB_E_CONFIG, "engine option " + name + ": " + ifb::to_text(value) + " is no whole number"};
  const std::int64_t out = value.GetInt64();
  if (out < least || out > most)
    throw ifb::failure{IFB_E_CONFIG, "engine option " + name + ": " + std::to_string(out) +
                                         " is not from " + std::to_string(least) + " to " +
                                         std::to_string(most)};
  return out;
}

void lay_engine_option(reference_options& to, const std::string& name,
                       const ifb::json_value& value) {
  if (std::ranges::find(without_effect, name) != without_effect.end()) return;
  if (value.IsNull()) return;  // Python's None: the default
  if (name == "max_model_len")
    to.max_model_len = whole_number(name, value, 1, 10'000'000);
  else if (name == "max_num_seqs")
    to.max_batch = whole_number(name, value, 1, 1'000'000'000);
  else if (name == "max_loras")
    to.max_adapters = whole_number(name, value, 1, UINT32_MAX);
  else if (name == "seed")
    to.seed = whole_number(name, value, 0, INT64_MAX);
  else
    throw ifb::failure{IFB_E_CONFIG, "the reference engine has no option " + name +
                                         "; its own options begin with --reference-engine-"};
}

}  // namespace

void lay_engine_options(reference_options& to, std::string_view json) {
  if (json.empty()) return;
  const ifb::json_document document = ifb::read_json(json, IFB_E_CONFIG);
  if (!document.IsObject())
    throw ifb::failure{IFB_E_CONFIG, "the options of the engine are not a JSON object"};
  for (const auto& each : document.GetObject()) {
    std::string name(ifb::text_of(&each.name));
    std::ranges::replace(name, '-', '_');
    lay_engine_option(to, name, each.value);
  }
}

}  // namespace reference_engine

// The options of `inferbench throughput`, checked in upstream's order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "offline/dataset_options.hpp"
#include "offline/engine_options.hpp"
#include "offline/offline_line.hpp"
#include "offline/upstream.hpp"

namespace inferbench::offline {

/// Names of installed plugins that --backend and --dataset-name take besides upstream's.
struct installed_names {
  std::vector<std::string> engines, datasets;
};

/// A value type.
struct throughput_options {
  // The name of the engine: vllm, vllm-chat, vllm-async, hf, mii or that of an installed engine.
  std::string engine;
  bool server = false;    // --base-url: `engine` is a backend of serve
  std::string model;      // empty: the default of the engine
  std::string tokenizer;  // --tokenizer, otherwise the model
  dataset_options data;
  std::int64_t n = 1;  // outputs of each prompt
  std::optional<std::int64_t> hf_max_batch_size;
  bool hf_torch_compile = false;
  bool async_engine = false;  // --async-engine
  bool prequeue = false;
  bool detokenize = true;
  bool profile = false;
  bool lora = false;  // requests carry an adapter
  std::string lora_path;
  std::int64_t max_loras = 1;
  bool lora_round_robin = false;
  std::int64_t data_parallel_size = 1;
  bool random_priorities = false;  // each request has the priority 0 or 1, drawn with the seed
  std::optional<std::string> output_json;
  // --energy-gpu-ids: the GPUs whose energy is measured; nullopt: none.
  std::optional<std::vector<unsigned>> energy_gpu_ids;
  engine_options passed_on;           // without the flags of the command
  std::vector<std::string> warnings;  // lines for the user, in order

  [[nodiscard]] upstream::engine_family family() const {
    return server ? upstream::engine_family::other : upstream::engine_family_of(engine);
  }
  /// Whether every prompt is a request of its own, all at the same time.
  [[nodiscard]] bool async() const {
    const upstream::engine_family which = family();
    return which == upstream::engine_family::vllm_async ||
           (which == upstream::engine_family::other && async_engine && !server);
  }
  /// Whether upstream's parser accepts the engine and upstream refuses it after it has read the
  /// prompts.
  [[nodiscard]] bool has_removed_engine() const {
    const upstream::engine_family which = family();
    return which == upstream::engine_family::mii ||
           (random_priorities && which == upstream::engine_family::transformers);
  }
  /// Whether the engine gets messages and not texts.
  [[nodiscard]] bool chat() const { return family() == upstream::engine_family::vllm_chat; }
};

/// Checks the options in the order of upstream, so that a line with several errors has the error
/// that it has there. Throws options::usage_error for what upstream's parser refuses (status 2),
/// base::error for what it refuses afterwards (status 1). The engine `mii` is accepted: upstream
/// refuses it after it has read the prompts (require_engine()).
[[nodiscard]] throughput_options throughput_options_of(const offline_line& line,
                                                       const installed_names& installed = {});

/// The value of --backend, with --base-url a backend of serve. Throws the errors of
/// offline_values::choice().
[[nodiscard]] std::string engine_of(const offline_line& line, const offline_values& values,
                                    const installed_names& installed);

/// Throws base::error if has_removed_engine(). Call it after the prompts are read.
void require_engine(const throughput_options& options);

}  // namespace inferbench::offline

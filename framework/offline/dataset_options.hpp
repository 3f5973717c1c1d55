// The prompts of throughput and mm-processor: the flags about data sets, and the flags of
// `inferbench serve` that mean the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "offline/offline_line.hpp"
#include "offline/upstream.hpp"

namespace inferbench::offline {

/// A value type. Lengths are in tokens.
struct dataset_options {
  std::string name;
  std::optional<std::string> path, subset, split, hub_name;
  std::int64_t num_prompts = 0;
  std::int64_t num_warmups = 0;
  bool no_oversample = false;
  bool multimodal_chat = false;
  bool skip_chat_template = false;
  std::optional<std::int64_t> custom_output_len;
  std::optional<std::int64_t> input_len, output_len;  // for all data sets
  std::optional<std::int64_t> prefix_len;             // nullopt: not given
  // The lengths of the random data sets: --random-*, otherwise the general length, otherwise the
  // default.
  std::int64_t random_input_len = 0, random_output_len = 0, random_prefix_len = 0;
  std::string range_ratio;
  std::int64_t batch_size = 1;  // documents, for random-rerank
  bool no_reranker = false;
  // The flags --random-mm-* and --prefix-repetition-* that have a value, and their values.
  std::vector<std::pair<std::string, std::string>> media, repetition;
  // Further flags of the data set that a script chooses.
  std::vector<std::pair<std::string, std::string>> own_flags;
  // Options of the plugin of the data set. dataset_flags() leaves them out, because a server's plan
  // has them among the other options.
  std::vector<engine_option> plugin_options;
  std::optional<double> shortest_audio_s, longest_audio_s;  // nullopt: not given
  std::optional<std::string> tokenizer;                     // nullopt: the model
  std::string tokenizer_mode = "auto";
  std::uint64_t seed = 0;

  [[nodiscard]] upstream::dataset_family family() const {
    return upstream::dataset_family_of(name);
  }
  [[nodiscard]] upstream::hub_family hub() const {
    return upstream::hub_family_of(path.value_or(""), hub_name.value_or(""));
  }
};

/// --seed, 0 if it was not given. Throws options::usage_error for a text that is no whole number,
/// and base::error for a number that is not from 0 to 2^32 - 1.
[[nodiscard]] std::uint64_t seed_of(const engine_options& engine);

/// The options in `line` of throughput or mm-processor. `installed`: names of data sets besides
/// upstream's. Throws the errors of offline_values, and options::usage_error for --seed.
[[nodiscard]] dataset_options dataset_options_of(const offline_line& line,
                                                 std::span<const std::string> installed);

/// The flags of `inferbench serve`, without dashes, and their values; "true" for a switch. They
/// describe the samples of the benchmark. An option that upstream leaves to its data set is not
/// among them. `chat`: the engine gets messages and not texts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> dataset_flags(
    const dataset_options& from, bool chat);

/// The same for the warm-up: `num_warmups` samples with the next seed.
[[nodiscard]] dataset_options warmup_of(dataset_options from);

}  // namespace inferbench::offline

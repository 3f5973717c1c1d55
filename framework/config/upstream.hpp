// Facts of `vllm bench serve` about single plugins: the plugins that its flags and its environment
// variable choose, and facts about its datasets and backends that no plugin can declare. This is
// the only place of the host that knows a plugin by its name. Constants and pure functions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::config::upstream {

/// The fallbacks of --backend and --dataset-name, as TOML. `calibrate` also replaces a backend by
/// default_backend if the simulator does not know its protocol.
inline constexpr std::string_view default_backend = "openai";
inline constexpr std::string_view default_dataset = "random";

/// Reporters of every run, of --save-result, and of $SAVE_TO_PYTORCH_BENCHMARK_FORMAT beside it.
inline constexpr const char* console_reporter = "console";
inline constexpr const char* result_reporter = "json";
inline constexpr const char* pytorch_reporter = "pytorch";
inline constexpr std::string_view pytorch_variable = "SAVE_TO_PYTORCH_BENCHMARK_FORMAT";

/// Keys that choose a reporter if the file names none.
struct plot_reporter {
  const char* path;
  const char* name;
};
inline constexpr std::array plot_reporters{
    plot_reporter{"run.plot-timeline", "timeline"},
    plot_reporter{"run.plot-dataset-stats", "dataset-stats"}};

/// The tokenizer without files, which lets the server count. It needs a server, and it can replace
/// a tokenizer whose files are missing.
inline constexpr std::string_view server_tokenizer = "server";
/// --tokenizer-mode auto uses the first of these that finds its files.
inline constexpr std::array<std::string_view, 4> tokenizers{"hf", "sentencepiece", "tiktoken",
                                                            server_tokenizer};
/// Modes of upstream that mean `auto` here: the model's files decide.
[[nodiscard]] bool is_auto_mode(std::string_view tokenizer_mode) noexcept;

/// Whether prompts of the dataset have a fixed length. Backends that take the sampling fields of
/// OpenAI then ask the server to ignore the end of sequence, unless the user decided.
/// IFB_DATASET_SYNTHETIC says the same, but only after the options of the backend are settled.
[[nodiscard]] bool ignores_eos(std::string_view dataset_id) noexcept;

/// Whether the dataset is known to give its requests no times, so that --self-timed can be refused
/// before the dataset is prepared.
[[nodiscard]] bool has_no_times(std::string_view dataset_id) noexcept;

/// Whether the dataset makes prompts of token ids for one backend, which is not this backend.
[[nodiscard]] bool needs_another_backend(std::string_view dataset_id,
                                         std::string_view backend_id) noexcept;

/// Whether the protocol of the backend lacks this sampling field, though it has others.
[[nodiscard]] bool lacks_sampling(std::string_view backend_id, std::string_view field) noexcept;

/// A flag of a dataset, and its type in upstream's parser.
struct dataset_flag {
  std::string_view flag;  // without dashes
  std::string_view dataset;
  ifb_type type = IFB_STRING;
};
/// Every flag of upstream's datasets, sorted by name.
[[nodiscard]] std::span<const dataset_flag> dataset_flags() noexcept;
/// The flag whose value is a Python dict of buckets, and the values of the flag with choices.
inline constexpr std::string_view buckets_flag = "random-mm-bucket-config";
inline constexpr std::array choices_of_subset{"qualitative",   "throughput_1k",  "throughput_2k",
                                              "throughput_8k", "throughput_16k", "throughput_32k"};

/// Upstream's name for all datasets that it takes from a hub by their id. It is no plugin here: the
/// id decides which plugin has the samples.
inline constexpr std::string_view hub_dataset = "hf";
/// The plugin that has the samples of this id; empty: none.
[[nodiscard]] std::string_view dataset_of_hub_id(std::string_view id) noexcept;

/// The remedy for a dataset of upstream that this program lacks; empty: upstream has no such
/// dataset, or this program has it.
[[nodiscard]] std::string instead_of_dataset(std::string_view name);

}  // namespace inferbench::config::upstream

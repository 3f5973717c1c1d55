// Rules of `vllm bench serve` about single plugins: the plugins that its flags and its environment
// variable choose, and facts about its datasets and backends that no plugin can declare. Each
// folder with a command or a script of upstream's has the names of the plugins that it selects in
// files like this: upstream.hpp and upstream.cpp, and upstream_flags.cpp if names are defaults of
// upstream's flags. tests/layering/thin_host_test.cpp fails on such a name in any other file of the
// host. This file has constants and pure functions.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::config::upstream {

/// The header with the id of the conversation with --multi-turn.
inline constexpr const char* session_header = "X-Session-ID";

/// The defaults of --backend and --dataset-name. `calibrate` also replaces a backend by
/// default_backend if the simulator does not know the backend's protocol.
inline constexpr std::string_view default_backend = "openai";
inline constexpr std::string_view default_dataset = "random";

/// The reporter of every run, the reporter of --save-result, and the additional reporter of
/// --save-result if $SAVE_TO_PYTORCH_BENCHMARK_FORMAT is set.
inline constexpr const char* console_reporter = "console";
inline constexpr const char* result_reporter = "json";
inline constexpr const char* pytorch_reporter = "pytorch";
inline constexpr std::string_view pytorch_variable = "SAVE_TO_PYTORCH_BENCHMARK_FORMAT";

/// The reporter of --live screen.
inline constexpr const char* screen_reporter = "screen";

/// A key that adds a reporter if the file names no reporters.
struct plot_reporter {
  const char* path;
  const char* name;
};
inline constexpr std::array plot_reporters{
    plot_reporter{"run.plot-timeline", "timeline"},
    plot_reporter{"run.plot-dataset-stats", "dataset-stats"}};

/// The tokenizer that has no files: the server counts the tokens. It needs a server, and it can
/// replace a tokenizer whose files are missing.
inline constexpr std::string_view server_tokenizer = "server";
/// --tokenizer-mode auto uses the first of these tokenizers that finds its files.
inline constexpr std::array<std::string_view, 4> tokenizers{"hf", "sentencepiece", "tiktoken",
                                                            server_tokenizer};
/// Whether a tokenizer mode of upstream means `auto` here: the model's files then choose the
/// tokenizer.
[[nodiscard]] bool is_auto_mode(std::string_view tokenizer_mode) noexcept;

/// Whether this is one of upstream's datasets, as they come with this program, whose samples never
/// have times. A flag tells that samples have times; no flag tells that they never have any,
/// because a dataset may add the flag when it is prepared.
[[nodiscard]] bool has_no_times(std::string_view dataset_id) noexcept;

/// Whether the dataset makes prompts of token ids for another backend than `backend_id`.
[[nodiscard]] bool needs_another_backend(std::string_view dataset_id,
                                         std::string_view backend_id) noexcept;

/// The backends that upstream allows for the images, videos and sound of a dataset: of `random-mm`,
/// and of the data sets of `hf` with certain ids. `hub_id`: a value of --dataset-path or --hf-name.
/// Empty if upstream allows all backends.
[[nodiscard]] std::span<const std::string_view> backends_for_media(
    std::string_view dataset_id, std::string_view hub_id) noexcept;

/// Whether upstream has a backend of this name, so that its rules about backends apply.
[[nodiscard]] bool has_backend(std::string_view backend_id) noexcept;

/// Whether this is one of upstream's backends that send the text of a sample and leave out its
/// images, videos and sound without an error.
[[nodiscard]] bool leaves_out_media(std::string_view backend_id) noexcept;

/// Whether upstream never fits the prompts of this synthetic dataset to the server's tokenizer.
[[nodiscard]] bool is_never_aligned(std::string_view dataset_id) noexcept;

/// The present name of a dataset that upstream has renamed; empty if `name` is not such a name.
[[nodiscard]] std::string_view renamed_dataset(std::string_view name) noexcept;

/// Whether the protocol of the backend has sampling fields but lacks the field `field`.
[[nodiscard]] bool lacks_sampling(std::string_view backend_id, std::string_view field) noexcept;

/// A flag of a dataset, and its type in upstream's parser.
struct dataset_flag {
  std::string_view flag;  // without dashes
  std::string_view dataset;
  ifb_type type = IFB_STRING;
};
/// Every flag of upstream's datasets, sorted by name.
[[nodiscard]] std::span<const dataset_flag> dataset_flags() noexcept;
/// buckets_flag: the flag of upstream's datasets whose value is a Python dict of buckets.
/// choices_of_subset: the values of the only flag of upstream's datasets that has choices.
inline constexpr std::string_view buckets_flag = "random-mm-bucket-config";
inline constexpr std::array choices_of_subset{"qualitative",   "throughput_1k",  "throughput_2k",
                                              "throughput_8k", "throughput_16k", "throughput_32k"};

/// Upstream's name for all datasets that it takes from a hub by their id. A plugin of this name
/// provides most of them; dataset_of_hub_id() names the plugins that provide the others.
inline constexpr std::string_view hub_dataset = "hf";
/// The plugin that provides the samples of this id in place of `hf`; empty if there is no such
/// plugin.
[[nodiscard]] std::string_view dataset_of_hub_id(std::string_view id) noexcept;

}  // namespace inferbench::config::upstream

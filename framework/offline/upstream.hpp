// Upstream's engines and data sets in the offline commands, and its rules about them. Only
// upstream.cpp and upstream_flags.cpp, the table of upstream's flags with their defaults, select
// plugins by name in this folder. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "offline/offline_flags.hpp"

namespace inferbench::offline::upstream {

/// The engines of upstream. `other`: an engine that upstream does not have, to which upstream's
/// rules about engines do not apply.
enum class engine_family : std::uint8_t { vllm, vllm_chat, vllm_async, transformers, mii, other };

[[nodiscard]] engine_family engine_family_of(std::string_view backend);
/// "vllm-chat"; empty for `other`.
[[nodiscard]] std::string_view name_of(engine_family family);
/// The plugin of an engine, and the value of the option of this plugin that upstream's name means.
struct engine_plugin {
  std::string plugin;
  std::string_view option, adapter;  // empty: the name is that of the plugin
};
[[nodiscard]] engine_plugin plugin_of(const std::string& backend);
/// The values of --backend, without installed engines of others.
[[nodiscard]] std::span<const std::string> backends(benchmark which);

/// The data sets that upstream's rules tell apart.
enum class dataset_family : std::uint8_t {
  random,
  random_mm,
  random_rerank,
  prefix_repetition,
  sharegpt,
  sonnet,
  burstgpt,
  custom_audio,
  custom,  // custom and custom_image
  hub,
  other
};

[[nodiscard]] dataset_family dataset_family_of(std::string_view name);
/// The name of `random`, which replaces a data set without a path.
[[nodiscard]] std::string_view fallback_dataset();
/// Whether the data set makes its prompts itself and needs no path.
[[nodiscard]] bool needs_no_path(std::string_view name);
/// Whether --random-input-len and --random-output-len are for this data set.
[[nodiscard]] bool is_random(dataset_family family);
/// The backend of serve with which a command measures a server if the user names none.
[[nodiscard]] std::string_view server_backend(benchmark which);
/// The data set of serve with which `latency` measures a server. It has the flags
/// --random-input-len and --random-output-len.
[[nodiscard]] std::string_view latency_dataset();
/// The tokenizer of serve for prompts that are sent as token ids: it needs no files of the model.
[[nodiscard]] std::string_view tokenizer_without_files();
/// The values of --dataset-name, without installed data sets of others.
[[nodiscard]] std::span<const std::string> datasets(benchmark which);

/// The data set of a script's prompts: those of a file, or those that the script makes itself. For
/// the commands prefix_caching, long_document_qa and prioritization.
[[nodiscard]] std::string_view script_dataset(benchmark which, bool of_file);

/// The families of data sets of the hub.
enum class hub_family : std::uint8_t {
  vision_arena,
  mmvu,
  multimodal_conversation,
  conversation,
  instruct_coder,
  aimo,
  asr,
  other
};

/// The family of the ids --dataset-path and --hf-name; the first family that has one of them.
[[nodiscard]] hub_family hub_family_of(std::string_view path, std::string_view hub_name);
/// Whether upstream's throughput gives the prompts of the family to a chat interface.
[[nodiscard]] bool needs_chat(hub_family family);
/// Whether upstream's throughput gives them as texts.
[[nodiscard]] bool needs_text(hub_family family);
/// The split that upstream's throughput reads, whatever --hf-split says; empty: --hf-split.
[[nodiscard]] std::string_view split_of(hub_family family);

/// The tokenizer mode of an engine for the mode `auto`; empty: auto.
[[nodiscard]] std::string_view auto_tokenizer_mode(engine_family family);

/// Options of the engine that a command switches on or off unless they are given: their names, with
/// "no-" for off.
[[nodiscard]] std::span<const std::string> engine_defaults(benchmark which);
/// NAME=value for the process of an engine of upstream whose start is measured.
[[nodiscard]] std::span<const std::string> startup_environment(std::string_view backend);
/// Lines of --help about the engines that upstream does not have, and their options.
[[nodiscard]] std::string_view engines_help();
/// Whether the engine knows these options.
[[nodiscard]] bool has_defaults(engine_family family);

}  // namespace inferbench::offline::upstream

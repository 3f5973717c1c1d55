#include "offline/upstream.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace inferbench::offline::upstream {

namespace {

constexpr std::array<std::pair<std::string_view, engine_family>, 5> engines{{
    {"vllm", engine_family::vllm},
    {"vllm-chat", engine_family::vllm_chat},
    {"vllm-async", engine_family::vllm_async},
    {"hf", engine_family::transformers},
    {"mii", engine_family::mii},
}};

constexpr std::array<std::pair<std::string_view, dataset_family>, 11> families{{
    {"random", dataset_family::random},
    {"random-mm", dataset_family::random_mm},
    {"random-rerank", dataset_family::random_rerank},
    {"prefix_repetition", dataset_family::prefix_repetition},
    {"sharegpt", dataset_family::sharegpt},
    {"sonnet", dataset_family::sonnet},
    {"burstgpt", dataset_family::burstgpt},
    {"custom_audio", dataset_family::custom_audio},
    {"custom", dataset_family::custom},
    {"custom_image", dataset_family::custom},
    {"hf", dataset_family::hub},
}};

constexpr std::array<std::pair<std::string_view, hub_family>, 17> hub_ids{{
    {"lmarena-ai/VisionArena-Chat", hub_family::vision_arena},
    {"lmarena-ai/vision-arena-bench-v0.1", hub_family::vision_arena},
    {"yale-nlp/MMVU", hub_family::mmvu},
    {"likaixin/InstructCoder", hub_family::instruct_coder},
    {"lmms-lab/LLaVA-OneVision-Data", hub_family::multimodal_conversation},
    {"Aeala/ShareGPT_Vicuna_unfiltered", hub_family::conversation},
    {"AI-MO/aimo-validation-aime", hub_family::aimo},
    {"AI-MO/NuminaMath-1.5", hub_family::aimo},
    {"AI-MO/NuminaMath-CoT", hub_family::aimo},
    {"openslr/librispeech_asr", hub_family::asr},
    {"facebook/voxpopuli", hub_family::asr},
    {"LIUM/tedlium", hub_family::asr},
    {"edinburghcstr/ami", hub_family::asr},
    {"speechcolab/gigaspeech", hub_family::asr},
    {"kensho/spgispeech", hub_family::asr},
    {"ArtificialAnalysis/Earnings22-Cleaned-AA", hub_family::asr},
    {"D4nt3/esb-datasets-earnings22-validation-tiny-filtered", hub_family::asr},
}};

}  // namespace

engine_family engine_family_of(std::string_view backend) {
  const auto* const found =
      std::ranges::find(engines, backend, &decltype(engines)::value_type::first);
  return found == engines.end() ? engine_family::other : found->second;
}

std::string_view name_of(engine_family family) {
  for (const auto& [name, each] : engines)
    if (each == family) return name;
  return {};
}

engine_plugin plugin_of(const std::string& backend) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> adapters{{
      {"vllm", "vllm"},
      {"vllm-chat", "vllm_chat"},
      {"vllm-async", "vllm_async"},
      {"hf", "hf"},
      {"sglang", "sglang"},
  }};
  const auto* const found =
      std::ranges::find(adapters, backend, &decltype(adapters)::value_type::first);
  if (found == adapters.end()) return {backend, {}, {}};
  return {"python-engine", "adapter", found->second};
}

std::span<const std::string> backends(benchmark which) {
  static const std::array<std::string, 5> all{"vllm", "hf", "mii", "vllm-chat", "vllm-async"};
  static const std::array<std::string, 1> with_chat{"vllm-chat"};
  static const std::array<std::string, 2> of_one_batch{"vllm", "hf"};
  static const std::array<std::string, 1> alone{"vllm"};
  static const std::array<std::string, 3> of_script{"vllm", "hf", "mii"};
  switch (which) {
    case benchmark::throughput: return all;
    case benchmark::mm_processor: return with_chat;
    case benchmark::prefix_caching:
    case benchmark::long_document_qa: return alone;
    case benchmark::prioritization: return of_script;
    case benchmark::latency:
    case benchmark::startup: break;
  }
  return of_one_batch;
}

std::string_view server_backend(benchmark which) {
  return which == benchmark::mm_processor ? "openai-chat" : "openai";
}

std::string_view latency_dataset() { return "random"; }

std::string_view tokenizer_without_files() { return "bytes"; }

dataset_family dataset_family_of(std::string_view name) {
  const auto* const found =
      std::ranges::find(families, name, &decltype(families)::value_type::first);
  return found == families.end() ? dataset_family::other : found->second;
}

std::string_view fallback_dataset() { return families.front().first; }

bool needs_no_path(std::string_view name) {
  const dataset_family family = dataset_family_of(name);
  return is_random(family) || family == dataset_family::prefix_repetition;
}

bool is_random(dataset_family family) {
  return family == dataset_family::random || family == dataset_family::random_mm ||
         family == dataset_family::random_rerank;
}

std::span<const std::string> datasets(benchmark which) {
  static const std::array<std::string, 14> all{
      "sharegpt",          "random",     "sonnet",        "burstgpt",     "hf",
      "prefix_repetition", "random-mm",  "random-rerank", "custom_audio", "custom",
      "custom_image",      "spec_bench", "speed_bench",   "timed_trace"};
  static const std::array<std::string, 2> with_media{"random-mm", "hf"};
  if (which == benchmark::mm_processor) return with_media;
  return all;
}

std::string_view script_dataset(benchmark which, bool of_file) {
  if (of_file) return "sharegpt";
  if (which == benchmark::long_document_qa) return "long-document";
  return which == benchmark::prefix_caching ? "prefix_repetition" : "repeated-text";
}

hub_family hub_family_of(std::string_view path, std::string_view hub_name) {
  for (const auto& [id, family] : hub_ids)
    if (id == path || id == hub_name) return family;
  return hub_family::other;
}

bool needs_chat(hub_family family) {
  return family == hub_family::vision_arena || family == hub_family::mmvu ||
         family == hub_family::multimodal_conversation || family == hub_family::conversation;
}

bool needs_text(hub_family family) {
  return family == hub_family::instruct_coder || family == hub_family::aimo ||
         family == hub_family::asr;
}

std::string_view split_of(hub_family family) {
  switch (family) {
    case hub_family::vision_arena:
    case hub_family::instruct_coder:
    case hub_family::aimo: return "train";
    case hub_family::mmvu: return "validation";
    default: return {};
  }
}

std::string_view auto_tokenizer_mode(engine_family family) {
  const bool hub = family == engine_family::transformers || family == engine_family::mii;
  return hub ? std::string_view("hf") : std::string_view();
}

std::span<const std::string> engine_defaults(benchmark which) {
  static const std::array<std::string, 1> no_cache{"no-enable-prefix-caching"};
  static const std::array<std::string, 1> stage_times{"enable-mm-processor-stats"};
  switch (which) {
    case benchmark::latency: return no_cache;
    case benchmark::mm_processor: return stage_times;
    case benchmark::throughput:
    case benchmark::startup:
    case benchmark::prefix_caching:
    case benchmark::long_document_qa:
    case benchmark::prioritization: break;
  }
  return {};
}

std::span<const std::string> startup_environment(std::string_view backend) {
  // The engine counts the time of its compilation only in the process that asks for it.
  static const std::array<std::string, 1> one_process{"VLLM_ENABLE_V1_MULTIPROCESSING=0"};
  if (!has_defaults(engine_family_of(backend))) return {};
  return one_process;
}

std::string_view engines_help() {
  return "\nOther engines that come with this program: sglang, python-engine, llama-cpp and "
         "reference-engine.\n"
         "Engines in Python take --python PATH, python-engine also --engine-adapter FILE.py; "
         "`inferbench plugin\n"
         "show python-engine` lists all options of the plugin.\n";
}

bool has_defaults(engine_family family) {
  return family == engine_family::vllm || family == engine_family::vllm_chat ||
         family == engine_family::vllm_async;
}

}  // namespace inferbench::offline::upstream

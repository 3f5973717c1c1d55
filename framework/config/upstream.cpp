#include "config/upstream.hpp"

#include <algorithm>
#include <ranges>

namespace inferbench::config::upstream {

namespace {

constexpr dataset_flag flags[] = {
    {"asr-max-audio-len-sec", "hf", IFB_FLOAT},
    {"asr-min-audio-len-sec", "hf", IFB_FLOAT},
    {"bfcl-categories", "hf", IFB_STRINGS},
    {"blazedit-max-distance", "hf", IFB_FLOAT},
    {"blazedit-min-distance", "hf", IFB_FLOAT},
    {"custom-ensure-client-side-data", "custom_image", IFB_BOOL},
    {"custom-output-len", "custom", IFB_INT},
    {"hf-name", "hf"},
    {"hf-output-len", "hf", IFB_INT},
    {"hf-split", "hf"},
    {"hf-subset", "hf"},
    {"no-reranker", "random-rerank", IFB_BOOL},
    {"prefix-repetition-num-prefixes", "prefix_repetition", IFB_INT},
    {"prefix-repetition-output-len", "prefix_repetition", IFB_INT},
    {"prefix-repetition-prefix-len", "prefix_repetition", IFB_INT},
    {"prefix-repetition-suffix-len", "prefix_repetition", IFB_INT},
    {"random-batch-size", "random", IFB_INT},
    {"random-input-len", "random", IFB_INT},
    {"random-mm-base-items-per-request", "random-mm", IFB_INT},
    {"random-mm-bucket-config", "random-mm"},
    {"random-mm-limit-mm-per-prompt", "random-mm", IFB_JSON},
    {"random-mm-num-mm-items-range-ratio", "random-mm", IFB_FLOAT},
    {"random-output-len", "random", IFB_INT},
    {"random-prefix-len", "random", IFB_INT},
    {"random-range-ratio", "random"},
    {"sharegpt-output-len", "sharegpt", IFB_INT},
    {"sonnet-input-len", "sonnet", IFB_INT},
    {"sonnet-output-len", "sonnet", IFB_INT},
    {"sonnet-prefix-len", "sonnet", IFB_INT},
    {"spec-bench-category", "spec_bench"},
    {"spec-bench-output-len", "spec_bench", IFB_INT},
    {"speed-bench-category", "speed_bench"},
    {"speed-bench-dataset-subset", "speed_bench", IFB_CHOICE},
    {"speed-bench-output-len", "speed_bench", IFB_INT},
    {"timed-trace-chunk-hash-size", "timed_trace", IFB_INT},
    {"timed-trace-label-hash-ids", "timed_trace"},
    {"timed-trace-label-input-length", "timed_trace"},
    {"timed-trace-label-output-length", "timed_trace"},
    {"timed-trace-label-timestamp", "timed_trace"},
    {"timed-trace-sec-multiplier", "timed_trace", IFB_FLOAT},
};

struct hub_entry {
  std::string_view id;
  std::string_view dataset;
};
constexpr std::array hub_entries{
    hub_entry{"gorilla-llm/Berkeley-Function-Calling-Leaderboard", "bfcl"}};

// Chat requests take images and videos. The other protocols with media take some kinds of media.
constexpr std::array<std::string_view, 1> chat_backends{"openai-chat"};
constexpr std::array<std::string_view, 5> image_backends{
    "openai-chat", "openai-embeddings-chat", "openai-embeddings-clip", "openai-embeddings-vlm2vec",
    "infinity-embeddings-clip"};
constexpr std::array<std::string_view, 2> sound_backends{"openai-chat", "openai-audio"};
constexpr std::array<std::string_view, 7> text_backends{
    "openai",       "vllm",       "openai-responses", "openai-embeddings", "infinity-embeddings",
    "vllm-pooling", "vllm-rerank"};

constexpr std::array<std::string_view, 5> hub_ids_with_images{
    "lmarena-ai/VisionArena-Chat", "lmarena-ai/vision-arena-bench-v0.1", "yale-nlp/MMVU",
    "lmms-lab/LLaVA-OneVision-Data", "Lin-Chen/MMStar"};
constexpr std::array<std::string_view, 8> hub_ids_with_sound{
    "openslr/librispeech_asr",
    "facebook/voxpopuli",
    "LIUM/tedlium",
    "edinburghcstr/ami",
    "speechcolab/gigaspeech",
    "kensho/spgispeech",
    "ArtificialAnalysis/Earnings22-Cleaned-AA",
    "D4nt3/esb-datasets-earnings22-validation-tiny-filtered"};

template <std::size_t n>
bool is_in(const std::array<std::string_view, n>& all, std::string_view name) noexcept {
  return std::ranges::find(all, name) != all.end();
}

}  // namespace

bool is_auto_mode(std::string_view tokenizer_mode) noexcept {
  constexpr std::array<std::string_view, 3> modes{"slow", "mistral", "deepseek_v32"};
  return is_in(modes, tokenizer_mode);
}

bool has_no_times(std::string_view dataset_id) noexcept {
  constexpr std::array<std::string_view, 12> ids{
      "random", "random-mm",    "random-rerank", "sharegpt",          "burstgpt",   "sonnet",
      "custom", "custom_audio", "custom_image",  "prefix_repetition", "spec_bench", "speed_bench"};
  return is_in(ids, dataset_id);
}

std::span<const std::string_view> backends_for_media(std::string_view dataset_id,
                                                     std::string_view hub_id) noexcept {
  if (dataset_id == "random-mm") return chat_backends;
  if (dataset_id != hub_dataset) return {};
  if (is_in(hub_ids_with_images, hub_id)) return image_backends;
  if (is_in(hub_ids_with_sound, hub_id)) return sound_backends;
  return {};
}

bool has_backend(std::string_view backend_id) noexcept {
  return is_in(image_backends, backend_id) || is_in(sound_backends, backend_id) ||
         is_in(text_backends, backend_id);
}

bool leaves_out_media(std::string_view backend_id) noexcept {
  return is_in(text_backends, backend_id);
}

bool is_never_aligned(std::string_view dataset_id) noexcept { return dataset_id == "random-mm"; }

std::string_view renamed_dataset(std::string_view name) noexcept {
  return name == "custom_mm" ? "custom_image" : std::string_view{};
}

bool needs_another_backend(std::string_view dataset_id, std::string_view backend_id) noexcept {
  return dataset_id == "timed_trace" && backend_id != default_backend;
}

bool lacks_sampling(std::string_view backend_id, std::string_view field) noexcept {
  return backend_id == "openai-responses" && field == "min_p";
}

std::span<const dataset_flag> dataset_flags() noexcept { return flags; }

std::string_view dataset_of_hub_id(std::string_view id) noexcept {
  const auto found = std::ranges::find(hub_entries, id, &hub_entry::id);
  return found == hub_entries.end() ? std::string_view{} : found->dataset;
}

}  // namespace inferbench::config::upstream

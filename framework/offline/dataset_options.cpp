#include "offline/dataset_options.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::offline {

namespace {

using flag_pairs = std::vector<std::pair<std::string, std::string>>;
using upstream::dataset_family;
using upstream::hub_family;

std::optional<std::int64_t> whole_if(const offline_values& values, const offline_line& line,
                                     std::string_view name) {
  return find_flag(line.command, name) == nullptr ? std::nullopt : values.whole(name);
}

std::optional<std::string> text_if(const offline_values& values, const offline_line& line,
                                   std::string_view name) {
  return find_flag(line.command, name) == nullptr ? std::nullopt : values.text(name);
}

// The given --random-NAME, otherwise the given general length, otherwise the default.
std::int64_t random_length(const offline_values& values, std::string_view name,
                           std::optional<std::int64_t> general) {
  if (!values.given(name) && general) return *general;
  return values.whole(name).value_or(0);
}

void put_length(flag_pairs& out, std::string_view flag, std::optional<std::int64_t> length) {
  if (length) out.emplace_back(flag, std::to_string(*length));
}

void put_text(flag_pairs& out, std::string_view flag, const std::optional<std::string>& value) {
  if (value) out.emplace_back(flag, *value);
}

void put_switch(flag_pairs& out, std::string_view flag, bool on) {
  if (on) out.emplace_back(flag, "true");
}

void put_hub(flag_pairs& out, const dataset_options& from) {
  const hub_family family = from.hub();
  put_text(out, "hf-name", from.hub_name);
  put_length(out, "output-len", from.output_len);
  const std::string_view split = upstream::split_of(family);
  if (!split.empty()) {
    out.emplace_back("hf-split", split);
  } else {
    put_text(out, "hf-subset", from.subset);
    put_text(out, "hf-split", from.split);
  }
  put_switch(out, "enable-multimodal-chat", from.multimodal_chat || upstream::needs_chat(family));
  if (family != hub_family::asr) return;
  if (from.shortest_audio_s)
    out.emplace_back("asr-min-audio-len-sec", base::shortest(*from.shortest_audio_s));
  if (from.longest_audio_s)
    out.emplace_back("asr-max-audio-len-sec", base::shortest(*from.longest_audio_s));
}

void put_random(flag_pairs& out, const dataset_options& from) {
  const dataset_family family = from.family();
  put_length(out, "random-input-len", from.random_input_len);
  if (family != dataset_family::random_rerank) {
    put_length(out, "random-output-len", from.random_output_len);
    put_length(out, "random-prefix-len", from.random_prefix_len);
  }
  out.emplace_back("random-range-ratio", from.range_ratio);
  if (family == dataset_family::random_rerank) {
    put_length(out, "random-batch-size", from.batch_size);
    put_switch(out, "no-reranker", from.no_reranker);
  }
  if (family == dataset_family::random_mm) {
    out.insert(out.end(), from.media.begin(), from.media.end());
    put_switch(out, "enable-multimodal-chat", true);
  }
}

}  // namespace

std::uint64_t seed_of(const engine_options& engine) {
  constexpr std::int64_t largest = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t seed = engine.whole("seed").value_or(0);
  if (seed < 0 || seed > largest)
    throw base::error("must be a whole number from 0 to " + std::to_string(largest) + ", not " +
                          std::to_string(seed),
                      {}, {"--seed"});
  return static_cast<std::uint64_t>(seed);
}

dataset_options dataset_options_of(const offline_line& line,
                                   std::span<const std::string> installed) {
  const offline_values values(line);
  dataset_options out;
  out.name = values.choice("dataset-name", upstream::datasets(line.command), installed);
  out.path = values.text("dataset-path");
  out.subset = values.text("hf-subset");
  out.split = values.text("hf-split");
  out.hub_name = text_if(values, line, "hf-name");
  out.num_prompts = values.whole("num-prompts").value_or(0);
  out.num_warmups = values.whole("num-warmups").value_or(0);
  out.no_oversample = values.on("no-oversample");
  out.multimodal_chat = values.on("enable-multimodal-chat");
  if (find_flag(line.command, "skip-chat-template") != nullptr)
    out.skip_chat_template = values.on("skip-chat-template");
  out.custom_output_len = whole_if(values, line, "custom-output-len");
  out.input_len = whole_if(values, line, "input-len");
  out.output_len = values.whole("output-len");
  if (values.given("prefix-len")) out.prefix_len = values.whole("prefix-len");
  out.random_input_len = random_length(values, "random-input-len", out.input_len);
  out.random_output_len = random_length(values, "random-output-len", out.output_len);
  out.random_prefix_len = random_length(values, "random-prefix-len", out.prefix_len);
  out.range_ratio = values.text("random-range-ratio").value_or("0.0");
  out.batch_size = values.whole("random-batch-size").value_or(1);
  out.no_reranker = values.on("no-reranker");
  for (const offline_flag& each : all_offline_flags()) {
    const std::string_view name = each.name;
    if ((each.commands & bit_of(line.command)) == 0) continue;
    auto* const into = name.starts_with("random-mm-")           ? &out.media
                       : name.starts_with("prefix-repetition-") ? &out.repetition
                                                                : nullptr;
    const options::node value = into == nullptr ? options::node{} : values.value(each);
    if (value.is(options::node::kind::null)) continue;
    into->emplace_back(name, each.type == flag_type::text   ? value.text
                             : each.type == flag_type::real ? base::shortest(value.real)
                                                            : options::to_json(value));
  }
  if (values.given("asr-min-audio-len-sec"))
    out.shortest_audio_s = values.real("asr-min-audio-len-sec");
  if (values.given("asr-max-audio-len-sec"))
    out.longest_audio_s = values.real("asr-max-audio-len-sec");
  if (const std::string* tokenizer = line.engine.text("tokenizer")) out.tokenizer = *tokenizer;
  if (const std::string* mode = line.engine.text("tokenizer-mode")) out.tokenizer_mode = *mode;
  out.seed = seed_of(line.engine);
  return out;
}

flag_pairs dataset_flags(const dataset_options& from, bool chat) {
  flag_pairs out{{"dataset-name", from.name}};
  if (!upstream::needs_no_path(from.name)) put_text(out, "dataset-path", from.path);
  put_length(out, "num-prompts", from.num_prompts);
  out.emplace_back("seed", std::to_string(from.seed));
  put_text(out, "tokenizer", from.tokenizer);
  out.emplace_back("tokenizer-mode", from.tokenizer_mode);
  put_switch(out, "no-oversample", from.no_oversample);
  put_switch(out, "skip-chat-template", from.skip_chat_template);
  switch (from.family()) {
    case dataset_family::random:
    case dataset_family::random_mm:
    case dataset_family::random_rerank: put_random(out, from); break;
    case dataset_family::prefix_repetition:
      out.insert(out.end(), from.repetition.begin(), from.repetition.end());
      break;
    case dataset_family::sharegpt:
      put_length(out, "sharegpt-output-len", from.output_len);
      put_switch(out, "enable-multimodal-chat", chat || from.multimodal_chat);
      break;
    case dataset_family::sonnet:
      put_length(out, "sonnet-prefix-len", from.prefix_len.value_or(0));
      put_length(out, "sonnet-input-len", from.input_len);
      put_length(out, "sonnet-output-len", from.output_len);
      break;
    case dataset_family::burstgpt: break;
    case dataset_family::custom_audio:
    case dataset_family::custom:
      put_length(out, "custom-output-len",
                 from.custom_output_len ? from.custom_output_len : from.output_len);
      put_switch(out, "enable-multimodal-chat", from.multimodal_chat);
      break;
    case dataset_family::hub: put_hub(out, from); break;
    case dataset_family::other:
      put_length(out, "input-len", from.input_len);
      put_length(out, "output-len", from.output_len);
      put_switch(out, "enable-multimodal-chat", from.multimodal_chat);
      break;
  }
  out.insert(out.end(), from.own_flags.begin(), from.own_flags.end());
  return out;
}

dataset_options warmup_of(dataset_options from) {
  from.num_prompts = from.num_warmups;
  ++from.seed;
  return from;
}

}  // namespace inferbench::offline

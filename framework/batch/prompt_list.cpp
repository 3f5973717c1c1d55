#include "batch/prompt_list.hpp"

#include <cstdint>
#include <string_view>

#include <inferbench/random.hpp>

#include "config/catalog.hpp"
#include "config/request.hpp"
#include "dataset/compact.hpp"

namespace inferbench::batch {

std::vector<std::string> prompt_words(const offline::dataset_options& wanted,
                                      const std::string& tokenizer, bool chat) {
  std::vector<std::string> out;
  bool named = false;
  for (const auto& [flag, value] : offline::dataset_flags(wanted, chat)) {
    named = named || flag == "tokenizer";
    if (value == "true") {
      out.push_back("--" + flag);
      continue;
    }
    out.push_back("--" + flag);
    out.push_back(value);
  }
  if (!named && !tokenizer.empty()) out.insert(out.end(), {"--tokenizer", tokenizer});
  for (const offline::engine_option& each : wanted.plugin_options)
    offline::add_words(each, out);
  return out;
}

prompt_list::prompt_list(const offline::dataset_options& wanted, const std::string& tokenizer,
                         bool chat, std::span<const std::string> plugin_flags,
                         const options::environment& env, base::log& log, base::output& out) {
  std::vector<std::string> words = prompt_words(wanted, tokenizer, chat);
  words.insert(words.end(), plugin_flags.begin(), plugin_flags.end());
  config::installed_catalog plugins;
  config::request asked = config::parse_dataset_show(words, env, plugins);
  for (const std::string& line : asked.warnings)
    log.warning(line);
  plan_ = std::make_unique<config::plan>(std::move(asked.plan));
  data_ = std::make_unique<services::loaded_dataset>(*plan_, log, out);
  memory_ = std::make_unique<base::arena>();
  while (dataset::sample_ptr next = data_->samples().next())
    samples_.push_back(dataset::compacted(std::move(next), *memory_));
}

random_prompts::random_prompts(std::int64_t count, std::int64_t length, std::int64_t output_tokens,
                               std::uint64_t seed) {
  constexpr std::uint64_t vocabulary = 10000;
  const auto size = static_cast<std::size_t>(count);
  ids_.resize(size);
  parts_.resize(size);
  const ifb_sample empty = IFB_SAMPLE_INIT;
  samples_.resize(size, empty);
  items_.resize(size);
  ifb::python_random random(seed);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::int64_t k = 0; k < length; ++k)
      ids_[i].push_back(static_cast<std::uint32_t>(random.below(vocabulary)));
    ifb_part& part = parts_[i];
    part.struct_size = sizeof part;
    part.kind = IFB_PART_TOKENS;
    part.data = {ids_[i].data(), ids_[i].size() * sizeof(std::uint32_t)};
    ifb_sample& sample = samples_[i];
    sample.shape = IFB_PROMPT_TOKENS;
    sample.prompt = {&part, 1, sizeof part};
    sample.input_tokens = length;
    sample.output_tokens = output_tokens;
    items_[i] = {sizeof(ifb_batch_item), 0, &sample, nullptr};
  }
}

}  // namespace inferbench::batch

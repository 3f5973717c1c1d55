// Synthetic prompts of given lengths. With the same seed and tokenizer they are the same as the
// prompts of `vllm bench serve --dataset-name random`. With conversations, the rows are
// conversations of such prompts.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "conversation_lengths.hpp"
#include "conversation_options.hpp"
#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/endless_prompts.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/options.hpp"
#include "datasets/synthetic/parts.hpp"
#include "datasets/synthetic/prefixes.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/range_ratio.hpp"
#include "datasets/synthetic/run_maker.hpp"
#include "datasets/synthetic/run_prompts.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "random_conversations.hpp"

namespace {

class random_prompts {
 public:
  static constexpr const char* id = "random";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Synthetic prompts of given lengths, drawn from the "
      "tokenizer's vocabulary.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS;

  struct options : random_chat::conversation_options {
    std::string input_len = "1024";
    std::string output_len = "128";
    ifb::json_text range;
    std::string prefix_len = "0";
    std::int64_t batch_size = 1;
    bool token_ids = false;
    bool no_cache = false;

    static constexpr auto schema() {
      return std::tuple_cat(
          std::tuple{
              ifb::option{"input-len", &options::input_len,
                          "Mean prompt length in tokens, or a distribution: uniform(A, B), "
                          "normal(MEAN, SD), lognormal(MEAN, SIGMA), file(PATH).",
                          "1024"}
                  .general()
                  .value_name("LENGTH"),
              ifb::option{"output-len", &options::output_len,
                          "Mean answer length in tokens, or a distribution.", "128"}
                  .general()
                  .value_name("LENGTH"),
              synthetic::range_ratio_option(&options::range),
              ifb::option{"prefix-len", &options::prefix_len,
                          "Tokens that all prompts begin with, on top of the prompt length; with a "
                          "distribution, a number is drawn for each prompt, which begins with "
                          "this many of the tokens.",
                          "0"}
                  .value_name("LENGTH"),
              ifb::option{"batch-size", &options::batch_size,
                          "Prompts in one request, for embeddings.", "1"}
                  .value_name("N")
                  .range(1, 2147483647),
              ifb::option{"prompt-token-ids", &options::token_ids,
                          "Send the prompts as token ids, those of the model's special tokens with "
                          "them, instead of as text.",
                          "false"}
                  .flag("prompt-token-ids"),
              synthetic::no_cache_option(&options::no_cache)},
          conversation_schema<options>());
    }
  };

  random_prompts(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    chosen_.refuse_unused();
    const random_chat::given_lengths given = given_lengths();
    const auto tokenizer = synthetic::tokenizer_of(host_);
    const auto words = synthetic::vocabulary_of(tokenizer);
    const synthetic::prompt_maker maker(tokenizer, words.size);
    prompts_.reset();
    endless_.reset();
    conversations_.reset();
    if (chosen_.conversations) return prepare_conversations(maker, words, given, request);

    synthetic::endless_lengths lengths = prompt_lengths(given, words.special);
    synthetic::run_recipe recipe;
    recipe.allowed = words.allowed(words.size);
    recipe.with_ids = chosen_.token_ids;
    recipe.with_special = chosen_.token_ids && words.special > 0;
    if (request.wanted <= 0)
      return prepare_endless(maker, std::move(recipe), std::move(lengths), request.seed);
    draw_prompts(recipe, maker, lengths, request);
    return prepare_prompts(maker, std::move(recipe), lengths, words.digest, request.seed);
  }

  // Several threads may call this function if there is no end, and for conversations.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (conversations_) return conversations_->read(row, memory, out);
    const auto batch = static_cast<std::uint64_t>(chosen_.batch_size);
    const std::uint64_t size = prompts_ ? prompts_->size() : UINT64_MAX;
    if (row > size / batch) return ifb::row_result::end();
    const std::uint64_t first = row * batch;
    if (first >= size) return ifb::row_result::end();

    const std::uint64_t last = first + std::min(batch, size - first);
    const auto parts = memory.array<ifb_part>(last - first);
    std::uint64_t tokens = 0;
    std::uint32_t output = 0;
    for (std::uint64_t i = first; i < last; ++i) {
      const synthetic::endless_prompts::finished_prompt made =
          prompts_ ? synthetic::endless_prompts::finished_prompt{prompts_->at(i), outputs_[i]}
                   : endless_->at(i);
      parts[i - first] = synthetic::part_of(made.text, chosen_.token_ids, memory);
      tokens += made.text.tokens;
      output = made.output;
    }
    if (chosen_.token_ids)
      out.shape = batch == 1 ? IFB_PROMPT_TOKENS : IFB_PROMPT_TOKEN_LISTS;
    else
      out.shape = batch == 1 ? IFB_PROMPT_TEXT : IFB_PROMPT_TEXTS;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = static_cast<std::int64_t>(tokens);
    out.output_tokens = batch == 1 ? std::int64_t{output} : 0;
    return ifb::row_result::ok();
  }

 private:
  [[nodiscard]] random_chat::given_lengths given_lengths() const {
    return {synthetic::length::parse(chosen_.input_len, "input-len"),
            synthetic::length::parse(chosen_.output_len, "output-len"),
            synthetic::length::parse(chosen_.prefix_len, "prefix-len"),
            synthetic::range_ratio::parse(chosen_.range.text)};
  }

  // The lengths of single prompts, which are reported to the user. `special` is the number of
  // tokens that the model adds to a prompt.
  [[nodiscard]] synthetic::endless_lengths prompt_lengths(const random_chat::given_lengths& given,
                                                          std::int64_t special) const {
    const auto inputs = synthetic::length_range::of_inputs(given.input, special, given.ratio.input);
    const auto outputs = synthetic::length_range::of_outputs(given.output, given.ratio.output);
    const auto prefixes = synthetic::length_range::of(given.prefix);
    if (prefixes.least() + inputs.least() < 1)
      throw ifb::failure(IFB_E_CONFIG,
                         "a prompt may come out empty: " + given.input.text() + " tokens less " +
                             std::to_string(special) +
                             " that the model adds, less the range ratio, leaves none; ask for "
                             "longer prompts",
                         "input-len");
    const bool prefixed = given.prefix.plain() != 0;
    host_.info("prompts of " + inputs.text() + " tokens" +
               (prefixed ? " after a prefix of " + prefixes.text() : std::string()) +
               ", answers of " + outputs.text());
    return {inputs, outputs, prefixes};
  }

  // Draws lengths, offsets and the common beginning. The padding continues with the state of the
  // same generator.
  void draw_prompts(synthetic::run_recipe& recipe, const synthetic::prompt_maker& maker,
                    const synthetic::endless_lengths& lengths,
                    const ifb_dataset_request& request) const {
    ifb::numpy_pcg64 random(request.seed);
    recipe.draws = synthetic::draw_all(random, static_cast<std::size_t>(request.wanted),
                                       lengths.inputs, lengths.outputs, maker.vocabulary());
    synthetic::draw_prefixes(host_, maker, lengths.prefixes, random, recipe);
    recipe.random = random;
  }

  // As many prompts as were drawn. `digest` is that of the tokenizer.
  ifb_dataset_info prepare_prompts(const synthetic::prompt_maker& maker,
                                   synthetic::run_recipe recipe,
                                   const synthetic::endless_lengths& lengths,
                                   const std::string& digest, std::uint64_t seed) {
    std::uint64_t tokens = 0;
    outputs_.clear();
    outputs_.reserve(recipe.draws.size());
    for (const synthetic::draw& each : recipe.draws) {
      tokens += std::uint64_t{each.prefix} + each.input;
      outputs_.push_back(each.output);
    }
    std::optional<synthetic::cache_place> place;
    if (!chosen_.no_cache)
      place = synthetic::cache_place::of(digest,
                                         "random|" + lengths.inputs.key() + "|" +
                                             lengths.outputs.key() + "|" + lengths.prefixes.key() +
                                             "|" + std::to_string(seed) +
                                             (chosen_.token_ids ? "|ids" : ""),
                                         recipe.draws.size(), tokens);
    prompts_.emplace(host_, maker, std::move(recipe), std::move(place));
    const auto batch = static_cast<std::uint64_t>(chosen_.batch_size);
    const std::uint64_t rows = prompts_->size() / batch + (prompts_->size() % batch != 0);
    return ifb::dataset_info(static_cast<std::int64_t>(rows), IFB_DATASET_SYNTHETIC);
  }

  // Prompts without an end, of which several threads may read rows.
  ifb_dataset_info prepare_endless(const synthetic::prompt_maker& maker, synthetic::run_style style,
                                   synthetic::endless_lengths lengths, std::uint64_t seed) {
    synthetic::draw_endless_prefix(host_, maker, lengths, seed, style);
    const std::int64_t vocabulary = maker.vocabulary();
    endless_.emplace(host_, synthetic::run_maker(maker, std::move(style)), std::move(lengths),
                     vocabulary, seed);
    return ifb::dataset_info(-1, IFB_DATASET_PARALLEL);
  }

  ifb_dataset_info prepare_conversations(const synthetic::prompt_maker& maker,
                                         const synthetic::vocabulary& words,
                                         const random_chat::given_lengths& given,
                                         const ifb_dataset_request& request) {
    const auto refuse = [](const char* option) {
      throw ifb::failure(IFB_E_CONFIG,
                         "is about single prompts, and conversations are chat messages of text; "
                         "leave out --multi-turn or this option",
                         option);
    };
    if (chosen_.token_ids) refuse("prompt-token-ids");
    if (chosen_.batch_size > 1) refuse("batch-size");
    auto lengths =
        random_chat::conversation_lengths::of(chosen_, given, words.special, request.seed);
    host_.info(lengths.text());
    return conversations_
        .emplace(host_, maker, words.allowed(words.size), std::move(lengths), request.wanted,
                 request.seed)
        .info();
  }

  ifb::host host_;
  options chosen_;
  std::vector<std::uint32_t> outputs_;
  std::optional<synthetic::run_prompts> prompts_;
  std::optional<synthetic::endless_prompts> endless_;  // instead of prompts_: any number of rows
  std::optional<random_chat::random_conversations> conversations_;  // instead of prompts_
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<random_prompts>)

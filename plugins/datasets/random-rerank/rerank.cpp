// A synthetic query, and documents that are to be ranked by it. With the same seed and tokenizer
// they are the same as the texts of `vllm bench serve --dataset-name random-rerank`.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/endless_prompts.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/options.hpp"
#include "datasets/synthetic/parts.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/range_ratio.hpp"
#include "datasets/synthetic/row_random.hpp"
#include "datasets/synthetic/run_maker.hpp"
#include "datasets/synthetic/run_prompts.hpp"
#include "datasets/synthetic/tokenizer.hpp"

namespace {

class random_rerank {
 public:
  static constexpr const char* id = "random-rerank";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "A synthetic query and documents of given lengths, to be ranked by it.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS;

  struct options {
    std::string input_len = "1024";
    ifb::json_text range;
    std::int64_t batch_size = 1;
    bool no_reranker = false;
    bool no_cache = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"input-len", &options::input_len,
                      "Mean length in tokens of a query with one document, or a distribution; of "
                      "each of them with --no-reranker.",
                      "1024"}
              .general()
              .flag("random-input-len")
              .value_name("LENGTH"),
          synthetic::range_ratio_option(&options::range).flag("random-range-ratio"),
          ifb::option{"batch-size", &options::batch_size, "Documents in one request.", "1"}
              .flag("random-batch-size")
              .value_name("N")
              .range(1, 2147483647),
          ifb::option{"no-reranker", &options::no_reranker,
                      "The model embeds: query and documents are texts of one length, and each "
                      "request has one document less.",
                      "false"}
              .flag("no-reranker"),
          synthetic::no_cache_option(&options::no_cache)};
    }
  };

  random_rerank(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto input = synthetic::length::parse(chosen_.input_len, "input-len");
    const auto ratio = synthetic::range_ratio::parse(chosen_.range.text);
    const auto tokenizer = synthetic::tokenizer_of(host_);
    const auto words = synthetic::vocabulary_of(tokenizer);
    batch_ = static_cast<std::uint64_t>(chosen_.batch_size);
    const bool endless = request.wanted <= 0;
    auto documents = static_cast<std::uint64_t>(endless ? INT64_MAX : request.wanted);
    if (chosen_.no_reranker) leave_one_out(documents);
    texts_.reset();
    endless_.reset();
    if (endless)
      return prepare_endless(synthetic::prompt_maker(tokenizer, words.size), input, words, ratio,
                             request.seed);

    ifb::numpy_pcg64 random(request.seed);
    synthetic::run_recipe recipe;
    recipe.draws = input.plain() ? spread_texts(random, *input.plain(), documents, words, ratio)
                                 : drawn_texts(random, input, documents, words, ratio);
    recipe.allowed = words.allowed(words.size);
    recipe.random = random;

    std::uint64_t tokens = 0;
    for (const synthetic::draw& each : recipe.draws)
      tokens += each.input;
    std::optional<synthetic::cache_place> place;
    if (!chosen_.no_cache)
      place = synthetic::cache_place::of(words.digest,
                                         "rerank|" + input.key() + "|" + chosen_.range.text + "|" +
                                             (chosen_.no_reranker ? "embed" : "rank") + "|" +
                                             std::to_string(words.special) + "|" +
                                             std::to_string(request.seed),
                                         recipe.draws.size(), tokens);
    texts_.emplace(host_, synthetic::prompt_maker(tokenizer, words.size), std::move(recipe),
                   std::move(place));
    query_ = texts_->at(0);
    const std::uint64_t rows = documents / batch_ + (documents % batch_ != 0);
    return ifb::dataset_info(static_cast<std::int64_t>(rows), IFB_DATASET_SYNTHETIC);
  }

  // Text 0 is the query, which every request contains. All other texts are documents. Without an
  // end several threads may call this function.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    const std::uint64_t documents = texts_ ? texts_->size() - 1 : UINT64_MAX - 1;
    if (row > documents / batch_) return ifb::row_result::end();
    const std::uint64_t first = row * batch_;
    if (first >= documents) return ifb::row_result::end();
    const std::uint64_t count = std::min(batch_, documents - first);

    const auto parts = memory.array<ifb_part>(count + 1);
    parts[0] = synthetic::part_of(query_, false, memory);
    // A reranker reads the query and a separating token together with each document.
    std::uint64_t tokens = chosen_.no_reranker ? query_.tokens : (query_.tokens + 1) * count;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t which = first + i + 1;
      const synthetic::prompt document = texts_ ? texts_->at(which) : endless_->at(which).text;
      parts[i + 1] = synthetic::part_of(document, false, memory);
      tokens += document.tokens;
    }
    out.shape = IFB_PROMPT_TEXTS;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = static_cast<std::int64_t>(tokens);
    out.output_tokens = 0;
    return ifb::row_result::ok();
  }

 private:
  void leave_one_out(std::uint64_t& documents) {
    if (documents < 2 || batch_ < 2)
      throw ifb::failure(IFB_E_CONFIG,
                         "without a reranker one text of each request is the query: give more "
                         "than 1 with --random-batch-size and with --num-prompts",
                         "batch-size");
    --documents;
    --batch_;
  }

  // A query and documents without an end. If their lengths have a distribution, the query has half
  // of the shortest length that is drawn for the first 1000 documents.
  ifb_dataset_info prepare_endless(const synthetic::prompt_maker& maker,
                                   const synthetic::length& input,
                                   const synthetic::vocabulary& words,
                                   const synthetic::range_ratio& ratio, std::uint64_t seed) {
    const auto of_mean = [&](std::int64_t tokens) {
      auto out = synthetic::length_range::of_inputs(
          synthetic::length::parse(std::to_string(std::max<std::int64_t>(0, tokens)), "input-len"),
          words.special, ratio.input);
      if (out.least() < 1) too_short();
      return out;
    };
    const auto none = synthetic::length_range::of(synthetic::length::parse("0", "input-len"));
    synthetic::endless_lengths lengths{none, no_answers(ratio), none};
    ifb::numpy_pcg64 random(seed);
    synthetic::draw query;
    if (input.plain()) {
      lengths.inputs = of_mean(chosen_.no_reranker ? *input.plain() : *input.plain() / 2 - 1);
      query = synthetic::draw_one(random, lengths, words.size);
      if (!chosen_.no_reranker)
        lengths.inputs = of_mean(*input.plain() - std::int64_t{query.input} - 1);
    } else {
      lengths.inputs = synthetic::length_range::of_inputs(input, words.special, ratio.input);
      query = synthetic::draw_one(random, lengths, words.size);
      if (!chosen_.no_reranker) {
        query.input = std::max(shortest_of(lengths, words, seed) / 2, 2U) - 1;
        lengths.adapt = [taken = query.input + 1](synthetic::draw& each) {
          each.input = std::max(each.input, taken + 1) - taken;
        };
      }
    }
    synthetic::run_style style;
    style.allowed = words.allowed(words.size);
    synthetic::run_maker runs(maker, std::move(style));
    query_ = runs.finish(query, runs.begin(query, 0), random);
    endless_.emplace(host_, std::move(runs), std::move(lengths), words.size, seed);
    return ifb::dataset_info(-1, IFB_DATASET_SYNTHETIC | IFB_DATASET_PARALLEL);
  }

  [[nodiscard]] static std::uint32_t shortest_of(const synthetic::endless_lengths& lengths,
                                                 const synthetic::vocabulary& words,
                                                 std::uint64_t seed) {
    std::uint32_t out = UINT32_MAX;
    for (std::uint64_t i = 1; i <= synthetic::looked_at; ++i) {
      ifb::numpy_pcg64 random(synthetic::seed_of_row(seed, i));
      out = std::min(out, synthetic::draw_one(random, lengths, words.size).input);
    }
    return out;
  }

  // Returns the query, followed by the documents. With a reranker, the mean length of the documents
  // is the wanted mean minus the query and a separating token.
  [[nodiscard]] std::vector<synthetic::draw> spread_texts(
      ifb::numpy_pcg64& random, std::int64_t mean, std::uint64_t documents,
      const synthetic::vocabulary& words, const synthetic::range_ratio& ratio) const {
    const auto draw = [&](std::int64_t tokens, std::uint64_t count) {
      const auto inputs = synthetic::length_range::of_inputs(
          synthetic::length::parse(std::to_string(std::max<std::int64_t>(0, tokens)), "input-len"),
          words.special, ratio.input);
      if (inputs.least() < 1) too_short();
      return synthetic::draw_all(random, static_cast<std::size_t>(count), inputs, no_answers(ratio),
                                 words.size);
    };
    auto out = draw(chosen_.no_reranker ? mean : mean / 2 - 1, 1);
    const std::int64_t query = out.front().input;
    const auto rest = draw(chosen_.no_reranker ? mean : mean - query - 1, documents);
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }

  // Each pair of query and document has the length that is drawn for it. The query is in every
  // pair, so its length is half of the shortest length.
  [[nodiscard]] std::vector<synthetic::draw> drawn_texts(
      ifb::numpy_pcg64& random, const synthetic::length& lengths, std::uint64_t documents,
      const synthetic::vocabulary& words, const synthetic::range_ratio& ratio) const {
    auto out =
        synthetic::draw_all(random, static_cast<std::size_t>(documents + 1),
                            synthetic::length_range::of_inputs(lengths, words.special, ratio.input),
                            no_answers(ratio), words.size);
    if (chosen_.no_reranker) return out;
    const auto shortest =
        std::ranges::min_element(out.begin() + 1, out.end(), {}, &synthetic::draw::input);
    const std::uint32_t query = std::max(shortest->input / 2, 2U) - 1;
    out.front().input = query;
    for (synthetic::draw& each : std::span(out).subspan(1))
      each.input = std::max(each.input, query + 2) - query - 1;
    return out;
  }

  [[nodiscard]] static synthetic::length_range no_answers(const synthetic::range_ratio& ratio) {
    return synthetic::length_range::of_outputs(synthetic::length::parse("0", "input-len"),
                                               ratio.output);
  }

  [[noreturn]] void too_short() const {
    throw ifb::failure(IFB_E_CONFIG,
                       chosen_.input_len +
                           " tokens leave none for the query or for a document, once special "
                           "tokens and the range ratio are taken off; ask for longer prompts",
                       "input-len");
  }

  ifb::host host_;
  options chosen_;
  std::uint64_t batch_ = 1;
  synthetic::prompt query_;
  std::optional<synthetic::run_prompts> texts_;
  std::optional<synthetic::endless_prompts> endless_;  // instead of texts_: any number of documents
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<random_rerank>)

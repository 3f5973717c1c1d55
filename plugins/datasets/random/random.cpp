// Synthetic prompts of given lengths, the same for the same seed and tokenizer as
// those of `vllm bench serve --dataset-name random`.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "lengths.hpp"
#include "prompt_maker.hpp"

namespace {

constexpr double most_tokens = 2147483647;

class random_prompts {
 public:
  static constexpr const char* id = "random";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Synthetic prompts of given lengths, drawn from the "
      "tokenizer's vocabulary.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    std::int64_t input_len = 1024;
    std::int64_t output_len = 128;
    ifb::json_text range;
    std::int64_t prefix_len = 0;
    std::int64_t batch_size = 1;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"input-len", &options::input_len, "Mean prompt length in tokens.", "1024"}
              .value_name("TOKENS")
              .range(0, most_tokens),
          ifb::option{"output-len", &options::output_len, "Mean answer length in tokens.", "128"}
              .value_name("TOKENS")
              .range(0, most_tokens),
          ifb::option{"range-ratio", &options::range,
                      "Spread of both lengths around their mean, below 1: a number, or "
                      "{\"input\": A, \"output\": B}.",
                      "0.0"}
              .value_name("RATIO"),
          ifb::option{"prefix-len", &options::prefix_len,
                      "Tokens that all prompts begin with, on top of the prompt length.", "0"}
              .value_name("TOKENS")
              .range(0, most_tokens),
          ifb::option{"batch-size", &options::batch_size, "Prompts in one request, for embeddings.",
                      "1"}
              .value_name("N")
              .range(1, most_tokens)};
    }
  };

  random_prompts(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    if (request.wanted <= 0)
      throw ifb::failure(IFB_E_CONFIG,
                         "synthetic prompts have no end; give a positive number "
                         "with --num-prompts");
    const range_ratio ratio = range_ratio::parse(chosen_.range.empty() ? "0" : chosen_.range.text);
    const auto tokenizer = host_.find_tokenizer();
    if (!tokenizer)
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts of a given length need a tokenizer; choose one with "
                         "--tokenizer-mode");
    maker_.emplace(*tokenizer);

    const interval inputs = input_lengths(chosen_.input_len, maker_->special(), ratio.input);
    const interval outputs = output_lengths(chosen_.output_len, ratio.output);
    if (chosen_.prefix_len + inputs.low < 1)
      throw ifb::failure(IFB_E_CONFIG,
                         "a prompt may come out empty: " + std::to_string(chosen_.input_len) +
                             " tokens less " + std::to_string(maker_->special()) +
                             " that the model adds, less the range ratio, leaves none; ask for "
                             "longer prompts",
                         "input-len");
    host_.info("prompts of " + text_of(inputs) + " tokens" +
               (chosen_.prefix_len > 0 ? " after a prefix of " + std::to_string(chosen_.prefix_len)
                                       : std::string()) +
               ", answers of " + text_of(outputs));

    ifb::numpy_pcg64 random(request.seed);
    draws_ = draw_all(random, static_cast<std::size_t>(request.wanted), inputs, outputs,
                      maker_->vocabulary());
    make_prefix(random);
    states_.push_back({0, random});
    const auto batch = static_cast<std::uint64_t>(chosen_.batch_size);
    const std::uint64_t rows = draws_.size() / batch + (draws_.size() % batch != 0);
    return ifb::dataset_info(static_cast<std::int64_t>(rows), IFB_DATASET_SYNTHETIC);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    const auto batch = static_cast<std::uint64_t>(chosen_.batch_size);
    if (row > draws_.size() / batch) return ifb::row_result::end();
    const std::uint64_t first = row * batch;
    if (first >= draws_.size()) return ifb::row_result::end();
    // Padding moves the generator, so a row needs all rows before it, once.
    while (made_ < first)
      (void)make(made_);

    const std::uint64_t last = std::min<std::uint64_t>(first + batch, draws_.size());
    const auto parts = memory.array<ifb_part>(last - first);
    std::int64_t tokens = 0;
    ifb::numpy_pcg64 random = state_before(first);
    for (std::uint64_t i = first; i < last; ++i) {
      const fitted prompt = make(i, random);
      parts[i - first] = ifb::text_part(memory.copy(prompt.text));
      tokens += static_cast<std::int64_t>(prompt.ids.size());
    }
    out.shape = batch == 1 ? IFB_PROMPT_TEXT : IFB_PROMPT_TEXTS;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = tokens;
    out.output_tokens = batch == 1 ? std::int64_t{draws_[first].output} : 0;
    return ifb::row_result::ok();
  }

 private:
  // The generator as it is from prompt `from` on, until the next entry.
  struct state {
    std::uint64_t from;
    ifb::numpy_pcg64 random;
  };

  static std::string text_of(interval range) {
    return range.low == range.high
               ? std::to_string(range.low)
               : std::to_string(range.low) + " to " + std::to_string(range.high);
  }

  void make_prefix(ifb::numpy_pcg64& random) {
    if (chosen_.prefix_len == 0) return;
    const auto count = static_cast<std::size_t>(chosen_.prefix_len);
    const auto allowed = maker_->allowed();
    std::vector<std::uint32_t> ids(count);
    for (auto& token : ids)
      token = allowed[static_cast<std::size_t>(
          random.integer(0, static_cast<std::int64_t>(allowed.size())))];
    fitted prefix = maker_->fit(std::move(ids), count, random);
    if (prefix.mismatch != 0)
      host_.warn("the common prefix has " + std::to_string(prefix.ids.size()) +
                 " tokens, not the " + std::to_string(count) + " asked for");
    prefix_ = std::move(prefix.ids);
  }

  [[nodiscard]] ifb::numpy_pcg64 state_before(std::uint64_t prompt) const {
    const auto after = std::ranges::upper_bound(states_, prompt, {}, &state::from);
    return std::prev(after)->random;
  }

  fitted make(std::uint64_t i) {
    ifb::numpy_pcg64 random = state_before(i);
    return make(i, random);
  }

  // Prompt i; `random` is its state before it and moves on. The first time, and
  // only then, the state behind it and its mismatch are noted.
  fitted make(std::uint64_t i, ifb::numpy_pcg64& random) {
    const draw& wanted = draws_[i];
    const std::size_t target = static_cast<std::size_t>(chosen_.prefix_len) + wanted.input;
    fitted out = maker_->fit(maker_->run(prefix_, wanted.offset + i, wanted.input), target, random);
    if (i != made_) return out;
    ++made_;
    mismatch_ += out.mismatch;
    if (!(random == states_.back().random)) states_.push_back({made_, random});
    if (made_ == draws_.size() && mismatch_ != 0)
      host_.warn("all prompts together have " + std::to_string(std::abs(mismatch_)) +
                 (mismatch_ > 0 ? " tokens more" : " tokens fewer") +
                 " than asked for: some ids do not survive decoding and encoding");
    return out;
  }

  ifb::host host_;
  options chosen_;
  std::optional<prompt_maker> maker_;
  std::vector<draw> draws_;
  std::vector<std::uint32_t> prefix_;
  std::vector<state> states_;  // ascending; one more for each prompt that was padded
  std::uint64_t made_ = 0;     // prompts made at least once
  std::int64_t mismatch_ = 0;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<random_prompts>)

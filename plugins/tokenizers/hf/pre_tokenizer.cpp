#include "pre_tokenizer.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pre_tokenizer_steps.hpp"

namespace tokenizers::hf {

namespace {

class pre_tokenizer_sequence final : public pre_tokenizer {
 public:
  explicit pre_tokenizer_sequence(std::vector<step_ptr> steps) : steps_(std::move(steps)) {}

  void cut(const piece& whole, piece_sink& to) const override { rest(steps_, to).take(whole); }
  [[nodiscard]] bool only_cuts() const override {
    return std::ranges::all_of(steps_, [](const step_ptr& it) { return it->only_cuts(); });
  }

 private:
  /// Each piece goes through the remaining steps before the next piece is cut.
  class rest final : public piece_sink {
   public:
    rest(std::span<const step_ptr> steps, piece_sink& last) : steps_(steps), last_(last) {}
    void take(const piece& it) override {
      if (steps_.empty()) return last_.take(it);
      if (steps_.size() == 1) return steps_.front()->cut(it, last_);
      rest next(steps_.subspan(1), last_);
      steps_.front()->cut(it, next);
    }

   private:
    std::span<const step_ptr> steps_;
    piece_sink& last_;
  };

  std::vector<step_ptr> steps_;
};

std::size_t byte_levels(const node& from) {
  const std::string_view type = from.at("type").text();
  if (type == "ByteLevel") return 1;
  if (type != "Sequence") return 0;
  const node steps = from.at("pretokenizers");
  std::size_t sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    sum += byte_levels(steps.at(i));
  return sum;
}

bool last_is_byte_level(const node& from) {
  const std::string_view type = from.at("type").text();
  if (type != "Sequence") return type == "ByteLevel";
  const node steps = from.at("pretokenizers");
  return steps.size() > 0 && last_is_byte_level(steps.at(steps.size() - 1));
}

}  // namespace

bool ends_in_bytes(const node& from) { return byte_levels(from) == 1 && last_is_byte_level(from); }

std::unique_ptr<pre_tokenizer> read_pre_tokenizer(const node& from, alphabet pieces) {
  const node type = from.at("type");
  const std::string_view is = type.text();
  if (is == "Sequence") {
    const node list = from.at("pretokenizers");
    std::vector<step_ptr> steps;
    for (std::size_t i = 0; i < list.size(); ++i) {
      steps.push_back(read_pre_tokenizer(list.at(i), pieces));
      if (steps.back()->does_nothing()) steps.pop_back();
    }
    if (steps.size() == 1) return std::move(steps.front());
    return std::make_unique<pre_tokenizer_sequence>(std::move(steps));
  }
  if (is == "ByteLevel") return read_byte_level(from, pieces);
  if (is == "Metaspace") return read_metaspace(from);
  if (is == "Split") return read_split(from);
  if (is == "CharDelimiterSplit") return read_char_delimiter_split(from);
  if (is == "Digits") return read_digits(from);
  if (is == "Punctuation") return read_punctuation(from);
  if (is == "FixedLength") return read_fixed_length(from);
  if (is == "Whitespace") return make_whitespace();
  if (is == "WhitespaceSplit") return make_whitespace_split();
  if (is == "BertPreTokenizer") return make_bert();
  if (is == "UnicodeScripts") return make_unicode_scripts();
  type.fail("there is no pre-tokenizer \"" + std::string(is) + "\"");
}

}  // namespace tokenizers::hf

#include <string>
#include <string_view>
#include <utility>

#include "cutter.hpp"
#include "pattern.hpp"
#include "pre_tokenizer_steps.hpp"
#include "read_behavior.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

class split_pre_tokenizer final : public pre_tokenizer {
 public:
  split_pre_tokenizer(pattern at, behavior how, bool inverted)
      : at_(std::move(at)), how_(how), inverted_(inverted) {}

  [[nodiscard]] bool only_cuts() const override { return true; }
  void cut(const piece& whole, piece_sink& to) const override {
    if (how_ == behavior::isolated) return isolate(whole, to);
    cutter out(how_, whole, to);
    std::size_t done = 0;
    at_.for_each(whole.text, [&](std::size_t begin, std::size_t end) {
      if (done != begin) out.add(done, begin, inverted_);
      out.add(begin, end, !inverted_);
      done = end;
    });
    if (done != whole.text.size()) out.add(done, whole.text.size(), inverted_);
    out.finish();
  }

 private:
  /// The usual behaviour, in a separate loop for speed.
  void isolate(const piece& whole, piece_sink& to) const {
    std::size_t done = 0;
    at_.for_each(whole.text, [&](std::size_t begin, std::size_t end) {
      if (done < begin) to.take(whole.part(done, begin));
      if (begin < end) to.take(whole.part(begin, end));
      done = end;
    });
    if (done < whole.text.size()) to.take(whole.part(done, whole.text.size()));
  }

  pattern at_;
  behavior how_;
  bool inverted_;
};

class char_delimiter_split final : public pre_tokenizer {
 public:
  explicit char_delimiter_split(std::string_view delimiter) : delimiter_(delimiter) {}

  void cut(const piece& whole, piece_sink& to) const override {
    std::size_t begin = 0;
    while (begin < whole.text.size()) {
      const std::size_t end = std::min(whole.text.find(delimiter_, begin), whole.text.size());
      if (begin < end) to.take(whole.part(begin, end));
      begin = end + delimiter_.size();
    }
  }

 private:
  std::string delimiter_;
};

class fixed_length final : public pre_tokenizer {
 public:
  explicit fixed_length(std::size_t characters) : characters_(characters) {}

  void cut(const piece& whole, piece_sink& to) const override {
    std::size_t begin = 0;
    while (begin < whole.text.size()) {
      std::size_t end = begin;
      for (std::size_t n = 0; n < characters_ && end < whole.text.size(); ++n)
        end += character_at(whole.text, end).size;
      to.take(whole.part(begin, end));
      begin = end;
    }
  }

 private:
  std::size_t characters_;
};

}  // namespace

behavior read_behavior(const node& from) {
  const std::string_view name = from.text();
  if (name == "Removed") return behavior::removed;
  if (name == "Isolated") return behavior::isolated;
  if (name == "MergedWithPrevious") return behavior::merged_with_previous;
  if (name == "MergedWithNext") return behavior::merged_with_next;
  if (name == "Contiguous") return behavior::contiguous;
  from.fail("expected Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

step_ptr read_split(const node& from) {
  return std::make_unique<split_pre_tokenizer>(
      pattern(from.at("pattern")), read_behavior(from.at("behavior")), from.at("invert").boolean());
}

step_ptr read_char_delimiter_split(const node& from) {
  const node delimiter = from.at("delimiter");
  if (count_characters(delimiter.text()) != 1) delimiter.fail("expected one character");
  return std::make_unique<char_delimiter_split>(delimiter.text());
}

step_ptr read_fixed_length(const node& from) {
  const std::uint32_t length = from.u32("length", 5);
  if (length == 0) from.at("length").fail("expected at least 1");
  return std::make_unique<fixed_length>(length);
}

}  // namespace tokenizers::hf

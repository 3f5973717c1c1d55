#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "byte_alphabet.hpp"
#include "metaspace.hpp"
#include "pattern.hpp"
#include "piece.hpp"
#include "pre_tokenizer_steps.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

constexpr std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Spells a piece into a buffer, byte by byte, with the extents of the original text.
class spelling {
 public:
  spelling(piece_buffer& room, const piece& of, std::size_t at_most)
      : room_(room), of_(of), start_(room.room(at_most)), end_(start_) {
    room_.from.clear();
  }

  /// Appends `text`, which replaces the bytes of the original piece at `at`.
  void put(std::string_view text, std::size_t at) {
    std::memcpy(end_, text.data(), text.size());
    end_ += text.size();
    if (of_.from != nullptr) room_.from.insert(room_.from.end(), text.size(), of_.from[at]);
    if (at < of_.lead) lead_ += text.size();
  }
  [[nodiscard]] piece done() const noexcept {
    return {{start_, static_cast<std::size_t>(end_ - start_)},
            lead_,
            of_.from == nullptr ? nullptr : room_.from.data()};
  }

 private:
  piece_buffer& room_;
  const piece& of_;
  char* start_;
  char* end_;
  std::size_t lead_ = 0;
};

class byte_level_pre_tokenizer final : public pre_tokenizer {
 public:
  byte_level_pre_tokenizer(bool prefix_space, bool cuts, alphabet pieces)
      : prefix_space_(prefix_space), spelled_(pieces == alphabet::text) {
    if (cuts) pattern_.emplace(gpt2_pattern);
  }

  void cut(const piece& whole, piece_sink& to) const override {
    if (!prefix_space_ || whole.text.front() == ' ') return cut_as_it_is(whole, to);
    piece_buffer room;
    spelling out(room, whole, whole.text.size() + 1);
    out.put(" ", 0);
    for (std::size_t i = 0; i < whole.text.size(); ++i)
      out.put(whole.text.substr(i, 1), i);
    cut_as_it_is(out.done(), to);
  }
  [[nodiscard]] bool only_cuts() const override { return !prefix_space_ && !spelled_; }
  [[nodiscard]] bool does_nothing() const override { return only_cuts() && !pattern_; }

 private:
  void cut_as_it_is(const piece& whole, piece_sink& to) const {
    if (!pattern_) return hand_on(whole, to);
    std::size_t done = 0;
    const auto put = [&](std::size_t end) {
      if (done < end) hand_on(whole.part(done, end), to);
      done = end;
    };
    pattern_->for_each(whole.text, [&](std::size_t begin, std::size_t end) {
      put(begin);
      put(end);
    });
    put(whole.text.size());
  }

  void hand_on(const piece& it, piece_sink& to) const {
    if (!spelled_) return to.take(it);
    piece_buffer room;
    spelling out(room, it, 2 * it.text.size());
    for (std::size_t i = 0; i < it.text.size(); ++i) {
      const byte_spelling& as = spell(static_cast<unsigned char>(it.text[i]));
      out.put({as.text, as.size}, i);
    }
    to.take(out.done());
  }

  bool prefix_space_;
  bool spelled_;
  std::optional<pattern> pattern_;
};

class metaspace_step final : public pre_tokenizer {
 public:
  explicit metaspace_step(metaspace settings) : settings_(std::move(settings)) {}

  void cut(const piece& whole, piece_sink& to) const override {
    const std::string_view sign = settings_.replacement;
    piece_buffer room;
    spelling out(room, whole, (whole.text.size() + 1) * sign.size());
    const bool begins = whole.text.starts_with(sign) || whole.text.front() == ' ';
    const bool wanted = settings_.scheme == metaspace::prepend::always ||
                        (settings_.scheme == metaspace::prepend::first && whole.lead > 0);
    if (wanted && !begins) out.put(sign, 0);
    for (std::size_t i = 0; i < whole.text.size(); ++i) {
      const std::string_view byte = whole.text.substr(i, 1);
      out.put(byte == " " ? sign : byte, i);
    }
    if (settings_.split)
      cut_before_signs(out.done(), to);
    else
      to.take(out.done());
  }

 private:
  void cut_before_signs(const piece& whole, piece_sink& to) const {
    std::size_t begin = 0;
    while (begin < whole.text.size()) {
      const std::size_t end =
          std::min(whole.text.find(settings_.replacement, begin + 1), whole.text.size());
      to.take(whole.part(begin, end));
      begin = end;
    }
  }

  metaspace settings_;
};

}  // namespace

step_ptr read_byte_level(const node& from, alphabet pieces) {
  return std::make_unique<byte_level_pre_tokenizer>(from.at("add_prefix_space").boolean(),
                                                    from.boolean("use_regex", true), pieces);
}

step_ptr read_metaspace(const node& from) {
  return std::make_unique<metaspace_step>(read_metaspace_settings(from));
}

}  // namespace tokenizers::hf

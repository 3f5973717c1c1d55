// Follows the paths of a section of the template, [stream] or [whole], through a JSON message of
// the server. The parsers are RapidJSON and quick_walk; both pass their events to this handler. The
// code is in a header so that both parsers can inline it; only reader.cpp includes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "backends/bodies/rapidjson.hpp"
#include "finder.hpp"
#include "reader.hpp"

namespace template_backend {

/// Reads one message after another; call begin() before each message. Used by one thread at a time.
/// The functions with names in RapidJSON's style (Null, Bool, StartObject, ...) are RapidJSON's
/// events. They return true, so a message is always read to its end.
class matcher {
 public:
  /// `where` and `out` must live until the message has been read. The texts in `out` and error()
  /// point to the text that the parser passes to String().
  void begin(const finder& where, event& out) {
    where_ = &where;
    out_ = &out;
    out = {};
    error_ = {};
    best_.fill(unset);
    depth_ = skipped_ = 0;
    here_ = finder::nowhere;
    next_ = finder::root;
    in_list_ = null = other = refused = false;
  }

  /// For a parser that skips unwanted values itself: returns whether the next value is wanted.
  [[nodiscard]] bool wanted() const { return next_ != finder::nowhere; }
  /// Returns the state of the next value, which must be wanted.
  [[nodiscard]] const finder::state& upcoming() const { return where_->at(next_); }
  /// Call this after the parser has skipped a value.
  void step_over() { after(); }
  /// Returns whether the innermost container to which a path leads is a list.
  [[nodiscard]] bool in_list() const { return in_list_; }
  /// Returns whether the parser is inside a container to which no path leads.
  [[nodiscard]] bool skipping() const { return skipped_ != 0; }
  /// Returns whether the parser is outside the message's outermost container: before its begin or
  /// after its end.
  [[nodiscard]] bool ended() const { return depth_ == 0; }

  bool null = false;     // the whole message is null
  bool other = false;    // the message is neither null nor the container with which the paths begin
  bool refused = false;  // the message reports an error
  /// Returns the text of the error; empty if the error is not a text.
  [[nodiscard]] std::string_view error() const { return error_; }

  bool Null() {
    if (depth_ == 0 && skipped_ == 0) return null = true;
    return scalar(kind::null, {}, 0);
  }
  bool Bool(bool b) { return scalar(b ? kind::yes : kind::no, {}, 0); }
  bool Int(int n) { return scalar(kind::number, {}, n); }
  bool Uint(unsigned n) { return scalar(kind::number, {}, n); }
  bool Int64(std::int64_t n) { return scalar(kind::number, {}, n); }
  bool Uint64(std::uint64_t n) {
    return scalar(kind::number, {}, n <= INT64_MAX ? static_cast<std::int64_t>(n) : -1);
  }
  bool Double(double n) {
    // Some servers send counts as floats. A double is exact for whole numbers up to about 9e15.
    // -1: not a count.
    return scalar(kind::number, {}, n >= 0 && n < 9e15 ? static_cast<std::int64_t>(n) : -1);
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return scalar(kind::number, {}, -1); }
  bool String(const char* data, rapidjson::SizeType size, bool) {
    return scalar(kind::string, {data, size}, 0);
  }
  bool Key(const char* data, rapidjson::SizeType size, bool) {
    if (skipped_ == 0) next_ = where_->member(here_, {data, size});
    return true;
  }

  bool StartObject() { return start(false); }
  bool EndObject(rapidjson::SizeType) { return leave(); }
  bool StartArray() { return start(true); }
  bool EndArray(rapidjson::SizeType) {
    if (skipped_ == 0) {
      for (const auto& use : where_->at(here_).uses) {
        if (use.what == part::tokens || use.what == part::token_ids) count(use, elements_);
      }
    }
    return leave();
  }

 private:
  enum class kind : std::uint8_t { null, no, yes, number, string, container };
  static constexpr std::uint8_t unset = 0xFF;

  /// The values of `here_`, `elements_` and `in_list_` outside an open container.
  struct frame {
    finder::place here;
    std::uint32_t elements;
    bool in_list;
  };

  bool start(bool list) {
    if (skipped_ != 0) return ++skipped_, true;
    const finder::place place = next_;
    if (place == finder::nowhere) return skipped_ = 1, true;
    const auto& state = where_->at(place);
    apply(state, kind::container, {}, 0);
    const bool inside = list ? !state.elements.empty() || state.counted : !state.members.empty();
    if (!inside) {
      other = other || depth_ == 0;
      return skipped_ = 1, true;
    }
    frames_[depth_++] = {here_, elements_, in_list_};
    here_ = place;
    in_list_ = list;
    elements_ = 0;
    next_ = list ? where_->element(here_, 0) : finder::nowhere;
    return true;
  }
  bool leave() {
    if (skipped_ != 0) {
      if (--skipped_ == 0) after();
      return true;
    }
    const frame& outer = frames_[--depth_];
    here_ = outer.here;
    elements_ = outer.elements;
    in_list_ = outer.in_list;
    after();
    return true;
  }
  bool scalar(kind what, std::string_view text, std::int64_t number) {
    if (skipped_ != 0) return true;
    if (depth_ == 0) return other = true;
    if (next_ != finder::nowhere) apply(where_->at(next_), what, text, number);
    after();
    return true;
  }
  /// Call this at the end of a value. In a list, the next value has no key, so its place follows
  /// from its index.
  void after() { next_ = in_list_ ? where_->element(here_, ++elements_) : finder::nowhere; }

  void apply(const finder::state& state, kind what, std::string_view text, std::int64_t number) {
    for (const auto& use : state.uses) {
      switch (use.what) {
        case part::text:
        case part::reasoning:
        case part::finish_reason:
          if (what == kind::string) take(use, text);
          break;
        case part::error:
          if (what == kind::container || what == kind::yes ||
              (what == kind::string && !text.empty()) || (what == kind::number && number != 0)) {
            refused = true;
            error_ = text;
          }
          break;
        case part::token_ids:
          if (what == kind::number) count(use, 1);
          break;
        case part::token_event:
          out_->is.token_event = out_->is.token_event || what != kind::null;
          break;
        case part::special: out_->is.special = out_->is.special || what == kind::yes; break;
        case part::end:
          out_->is.end = out_->is.end || (what != kind::null && what != kind::no);
          break;
        default:
          if (what == kind::number) count(use, number);
      }
    }
  }
  /// Stores a text. The first alternative that is not empty counts. If all are empty, the first
  /// alternative that is present counts.
  void take(const finder::use& use, std::string_view text) {
    std::string_view& to = use.what == part::text        ? out_->text
                           : use.what == part::reasoning ? out_->reasoning
                                                         : out_->finish_reason;
    std::uint8_t& best = best_[static_cast<std::size_t>(use.what)];
    if (use.what == part::text) out_->is.has_text = true;
    if (use.what == part::reasoning) out_->is.has_reasoning = true;
    const bool better = to.empty() != text.empty() ? to.empty() : use.rank <= best;
    if (!better) return;
    to = text;
    best = use.rank;
  }
  /// Stores a number. The first alternative that has a number of at least 0 counts.
  void count(const finder::use& use, std::int64_t number) {
    std::uint8_t& best = best_[static_cast<std::size_t>(use.what)];
    if (number < 0 || use.rank > best) return;
    best = use.rank;
    switch (use.what) {
      case part::prompt_tokens: out_->usage.prompt = number; break;
      case part::cached_tokens: out_->usage.cached = number; break;
      case part::output_tokens: out_->usage.output = number; break;
      case part::reasoning_tokens: out_->usage.reasoning = number; break;
      case part::tokens: out_->is.tokens = number; break;
      case part::token_ids: out_->is.token_ids = number; break;
      case part::choice: out_->is.choice = number; break;
      default: break;
    }
  }

  const finder* where_ = nullptr;
  event* out_ = nullptr;
  std::string_view error_;
  std::array<std::uint8_t, parts> best_{};  // the rank of the alternative that was stored
  std::array<frame, longest_path + 1> frames_{};
  std::size_t depth_ = 0;                 // number of open containers to which a path leads
  std::size_t skipped_ = 0;               // number of open containers to which no path leads
  std::uint32_t elements_ = 0;            // number of elements of the list that have ended
  finder::place here_ = finder::nowhere;  // the innermost open container
  finder::place next_ = finder::root;     // the next value; nowhere: the value is not wanted
  bool in_list_ = false;
};

}  // namespace template_backend

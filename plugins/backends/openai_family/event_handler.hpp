// Takes the values that event_reader wants out of an event. It is the handler for the events of
// RapidJSON and of quick_walk. The code is in a header so that both parsers can inline it; only
// event.cpp and quick.cpp include it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "backends/bodies/rapidjson.hpp"
#include "event.hpp"
#include "tool_call_list.hpp"

namespace openai {
namespace reading {

/// The container of an answer in which the reader is.
enum class node : std::uint8_t {
  nowhere,
  root,
  choice,
  message,  // "delta" or "message"
  tool_call,
  function,
  usage,
  prompt_details,
  output_details,
  choices,  // lists: all lists must come last, see in_list()
  tool_calls
};

/// The meaning of the next value.
enum class field : std::uint8_t {
  unknown,
  choices,
  usage,
  error,
  object,
  index,
  text,
  message,
  finish_reason,
  content,
  reasoning,
  tool_calls,
  call_index,
  function,
  call_name,
  call_arguments,
  prompt_tokens,
  output_tokens,
  prompt_details,
  output_details,
  cached_tokens,
  reasoning_tokens
};

/// Compares key == name in a few instructions and without a call, in words of constant size. The
/// last word may overlap the word before it.
template <std::size_t with_end>
[[nodiscard]] bool is(std::string_view key, const char (&name)[with_end]) noexcept {
  constexpr std::size_t size = with_end - 1;
  constexpr std::size_t word = size >= 8 ? 8 : 4;
  static_assert(size >= word);
  if (key.size() != size) return false;
  for (std::size_t i = 0; i + word < size; i += word) {
    if (std::memcmp(key.data() + i, name + i, word) != 0) return false;
  }
  return std::memcmp(key.data() + size - word, name + size - word, word) == 0;
}

/// Always inlined: a call for each key would double the cost, because vector registers are not
/// preserved across a call.
[[gnu::always_inline]] inline field field_of(node where, std::string_view key) noexcept {
  switch (where) {
    case node::root:
      if (is(key, "choices")) return field::choices;
      if (is(key, "usage")) return field::usage;
      if (is(key, "error")) return field::error;
      if (is(key, "object")) return field::object;
      break;
    case node::choice:
      if (is(key, "index")) return field::index;
      if (is(key, "text")) return field::text;
      if (is(key, "delta") || is(key, "message")) return field::message;
      if (is(key, "finish_reason")) return field::finish_reason;
      if (is(key, "usage")) return field::usage;
      break;
    case node::message:
      if (is(key, "content")) return field::content;
      if (is(key, "reasoning") || is(key, "reasoning_content")) return field::reasoning;
      if (is(key, "tool_calls")) return field::tool_calls;
      break;
    case node::tool_call:
      if (is(key, "function")) return field::function;
      if (is(key, "index")) return field::call_index;
      break;
    case node::function:
      if (is(key, "name")) return field::call_name;
      if (is(key, "arguments")) return field::call_arguments;
      break;
    case node::usage:
      if (is(key, "prompt_tokens")) return field::prompt_tokens;
      if (is(key, "completion_tokens")) return field::output_tokens;
      if (is(key, "prompt_tokens_details")) return field::prompt_details;
      if (is(key, "completion_tokens_details")) return field::output_details;
      break;
    case node::prompt_details:
      if (is(key, "cached_tokens")) return field::cached_tokens;
      break;
    case node::output_details:
      if (is(key, "reasoning_tokens")) return field::reasoning_tokens;
      break;
    case node::nowhere:
    case node::choices:
    case node::tool_calls: break;
  }
  return field::unknown;
}

}  // namespace reading

/// Takes the wanted values out of RapidJSON's events. `skipped_` is the number of open containers
/// that are not wanted; keys inside them are never compared.
class event_handler {
  using node = reading::node;
  using field = reading::field;

 public:
  /// `calls` receives the names and arguments of the calls, joined, and `parts` receives them
  /// apart.
  event_handler(std::string& calls, std::vector<call_part>& parts) : calls_(calls), parts_(parts) {}

  void begin(event& out) {
    out_ = &out;
    depth_ = skipped_ = elements_ = 0;
    here_ = node::nowhere;
    field_ = field::unknown;
    null = other = refused = false;
  }

  /// For a parser that skips unwanted values itself: returns whether the next value is wanted. The
  /// value is inside the event.
  [[nodiscard]] bool wanted() const { return field_ != field::unknown || in_list(); }
  /// Called after the parser has skipped a value. The handler does nothing.
  void step_over() {}
  /// Returns the meaning of the next value, unless it is being skipped.
  [[nodiscard]] field expected() const { return field_; }
  /// Returns whether the next value or key stands in a list.
  [[nodiscard]] bool in_list() const { return here_ >= node::choices; }
  /// Returns whether the innermost open container is being skipped.
  [[nodiscard]] bool skipping() const { return skipped_ != 0; }
  [[nodiscard]] bool ended() const { return depth_ == 0; }

  bool null = false;     // the whole event is null
  bool other = false;    // the event is neither null nor an object
  bool refused = false;  // the event reports an error

  bool Null() {
    if (depth_ == 0 && skipped_ == 0) return null = true;
    return scalar();
  }
  bool Bool(bool b) {
    if (field_ == field::error && skipped_ == 0 && b) refused = true;
    return scalar();
  }
  bool Int(int n) { return number(n); }
  bool Uint(unsigned n) { return number(n); }
  bool Int64(std::int64_t n) { return number(n); }
  bool Uint64(std::uint64_t n) {
    return number(n <= INT64_MAX ? static_cast<std::int64_t>(n) : -1);
  }
  bool Double(double n) {
    // Some servers send counts as floats.
    return number(n >= 0 && n < 9e15 ? static_cast<std::int64_t>(n) : -1);
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return scalar(); }

  bool String(const char* data, rapidjson::SizeType size, bool) {
    if (skipped_ == 0) {
      const std::string_view text(data, size);
      switch (field_) {
        case field::text: out_->text = text; break;
        case field::content: out_->content = text; break;
        case field::reasoning:
          // Some servers send both names with the same text while they change from one name to the
          // other.
          if (out_->reasoning.empty()) out_->reasoning = text;
          break;
        case field::call_name:
          parts_.back().name = text;
          calls_ += text;
          break;
        case field::call_arguments:
          parts_.back().arguments = text;
          calls_ += text;
          break;
        case field::finish_reason: out_->finish_reason = text; break;
        case field::error: refused = refused || !text.empty(); break;
        case field::object: refused = refused || text == "error"; break;
        default: break;
      }
    }
    return scalar();
  }

  bool Key(const char* data, rapidjson::SizeType size, bool) {
    if (skipped_ == 0) field_ = reading::field_of(here_, {data, size});
    return true;
  }

  bool StartObject() {
    if (skipped_ != 0) return ++skipped_, true;
    if (here_ == node::nowhere) return enter(node::root);
    switch (here_) {
      case node::choices:
        if (!first()) set_aside();
        return enter(node::choice);
      case node::tool_calls: parts_.emplace_back(); return enter(node::tool_call);
      default: break;
    }
    switch (field_) {
      case field::usage: return enter(node::usage);
      case field::message: return enter(node::message);
      case field::function: return enter(node::function);
      case field::prompt_details: return enter(node::prompt_details);
      case field::output_details: return enter(node::output_details);
      case field::error: refused = true; break;
      default: break;
    }
    return skip();
  }
  bool EndObject(rapidjson::SizeType) { return leave(); }

  bool StartArray() {
    if (skipped_ != 0) return ++skipped_, true;
    if (depth_ == 0) return other = true, skip();
    switch (field_) {
      case field::choices: elements_ = 0; return enter(node::choices);
      case field::tool_calls: return enter(node::tool_calls);
      case field::error: refused = true; break;
      default: break;
    }
    if (here_ == node::choices) first();
    return skip();
  }
  bool EndArray(rapidjson::SizeType) { return leave(); }

 private:
  // root, choices, choice, delta, tool_calls, tool_call, function
  static constexpr std::size_t deepest = 8;

  bool enter(node where) {
    path_[depth_++] = here_;
    here_ = where;
    field_ = field::unknown;
    return true;
  }
  bool skip() {
    skipped_ = 1;
    field_ = field::unknown;
    return true;
  }
  bool leave() {
    if (skipped_ != 0) return --skipped_, true;
    if (here_ == node::choice && out_->several) choose();
    here_ = path_[--depth_];
    field_ = field::unknown;  // in a list the next value comes without a key
    return true;
  }
  /// Notes an element of `choices`. Returns whether it is the first element.
  bool first() {
    out_->has_choice = true;
    return elements_++ == 0;
  }
  /// Called when a further element begins: stores the content of the earlier elements separately.
  void set_aside() {
    kept_ = *out_;
    kept_calls_ = calls_;
    calls_.clear();
    kept_parts_.swap(parts_);
    parts_.clear();
    const usage counts = out_->usage;
    *out_ = {};
    out_->has_choice = out_->several = true;
    out_->usage = counts;
  }
  /// Called when a further element has ended: keeps it only if it has index 0 and no earlier
  /// element had.
  void choose() {
    if (out_->choice == 0 && kept_.choice != 0) return;
    kept_.several = true;
    kept_.usage = out_->usage;
    *out_ = kept_;
    calls_.swap(kept_calls_);
    parts_.swap(kept_parts_);
  }
  bool scalar() {
    if (skipped_ != 0) return true;
    if (depth_ == 0)
      other = true;
    else if (here_ == node::choices)
      first();
    return true;
  }
  bool number(std::int64_t n) {
    if (skipped_ == 0) {
      const std::int64_t count = n >= 0 ? n : -1;
      switch (field_) {
        case field::error: refused = refused || n != 0; break;
        case field::index:
          if (n >= 0 && n <= UINT32_MAX) out_->choice = static_cast<std::uint32_t>(n);
          break;
        case field::call_index: parts_.back().index = count; break;
        case field::prompt_tokens: out_->usage.prompt = count; break;
        case field::output_tokens: out_->usage.output = count; break;
        case field::cached_tokens: out_->usage.cached = count; break;
        case field::reasoning_tokens: out_->usage.reasoning = count; break;
        default: break;
      }
    }
    return scalar();
  }

  event* out_ = nullptr;
  std::string& calls_;
  std::vector<call_part>& parts_;
  event kept_;  // the content of the choice that counts among the earlier elements
  std::string kept_calls_;
  std::vector<call_part> kept_parts_;
  std::array<node, deepest> path_{};  // the outer containers of `here_`
  node here_ = node::nowhere;
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0;
  std::size_t elements_ = 0;
  field field_ = field::unknown;
};

}  // namespace openai

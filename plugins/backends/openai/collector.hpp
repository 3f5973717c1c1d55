// What event_reader wants from the JSON of an event: the handler of RapidJSON's
// events. In a header of its own because the parser, a template, is to inline it;
// event.cpp alone includes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "event.hpp"
#include "rapidjson.hpp"

namespace openai::reading {

/// Where in an answer the reader stands.
enum class node : std::uint8_t {
  root,
  choices,
  first_choice,
  other_choice,
  message,  // "delta" or "message"
  tool_calls,
  tool_call,
  function,
  usage,
  prompt_details,
  output_details
};

/// What the next value is.
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
  function,
  call_text,
  prompt_tokens,
  output_tokens,
  prompt_details,
  output_details,
  cached_tokens,
  reasoning_tokens
};

inline field field_of(node where, std::string_view key) noexcept {
  switch (where) {
    case node::root:
      if (key == "choices") return field::choices;
      if (key == "usage") return field::usage;
      if (key == "error") return field::error;
      if (key == "object") return field::object;
      break;
    case node::first_choice:
      if (key == "index") return field::index;
      if (key == "text") return field::text;
      if (key == "delta" || key == "message") return field::message;
      if (key == "finish_reason") return field::finish_reason;
      [[fallthrough]];
    case node::other_choice:
      if (key == "usage") return field::usage;
      break;
    case node::message:
      if (key == "content") return field::content;
      if (key == "reasoning" || key == "reasoning_content") return field::reasoning;
      if (key == "tool_calls") return field::tool_calls;
      break;
    case node::tool_call:
      if (key == "function") return field::function;
      break;
    case node::function:
      if (key == "name" || key == "arguments") return field::call_text;
      break;
    case node::usage:
      if (key == "prompt_tokens") return field::prompt_tokens;
      if (key == "completion_tokens") return field::output_tokens;
      if (key == "prompt_tokens_details") return field::prompt_details;
      if (key == "completion_tokens_details") return field::output_details;
      break;
    case node::prompt_details:
      if (key == "cached_tokens") return field::cached_tokens;
      break;
    case node::output_details:
      if (key == "reasoning_tokens") return field::reasoning_tokens;
      break;
    case node::choices:
    case node::tool_calls: break;
  }
  return field::unknown;
}

/// Takes what is wanted out of RapidJSON's events. Values nobody asked for are
/// counted in `skipped_`, so that their keys are never compared.
class collector {
 public:
  explicit collector(std::string& calls) : calls_(calls) {}

  void begin(event& out) {
    out_ = &out;
    depth_ = skipped_ = elements_ = 0;
    field_ = field::unknown;
    null = other = refused = false;
  }

  bool null = false;     // the whole event is null
  bool other = false;    // it is neither null nor an object
  bool refused = false;  // it reports an error

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
  bool Uint64(std::uint64_t) { return number(-1); }
  bool Double(double n) {
    // Some servers count in floats.
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
          // Servers in transition send both names with one text.
          if (out_->reasoning.empty()) out_->reasoning = text;
          break;
        case field::call_text: calls_ += text; break;
        case field::finish_reason: out_->finish_reason = text; break;
        case field::error: refused = refused || !text.empty(); break;
        case field::object: refused = refused || text == "error"; break;
        default: break;
      }
    }
    return scalar();
  }

  bool Key(const char* data, rapidjson::SizeType size, bool) {
    if (skipped_ == 0) field_ = field_of(path_[depth_ - 1], {data, size});
    return true;
  }

  bool StartObject() {
    if (skipped_ != 0) return ++skipped_, true;
    if (depth_ == 0) return enter(node::root);
    switch (path_[depth_ - 1]) {
      case node::choices: return enter(first() ? node::first_choice : node::other_choice);
      case node::tool_calls: return enter(node::tool_call);
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
    if (path_[depth_ - 1] == node::choices) first();
    return skip();
  }
  bool EndArray(rapidjson::SizeType) { return leave(); }

 private:
  // root, choices, choice, delta, tool_calls, tool_call, function
  static constexpr std::size_t deepest = 8;

  bool enter(node where) {
    path_[depth_++] = where;
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
    --depth_;
    field_ = field::unknown;  // in a list the next value comes without a key
    return true;
  }
  /// An element of `choices`: whether it is the first.
  bool first() {
    out_->has_choice = true;
    return elements_++ == 0;
  }
  bool scalar() {
    if (skipped_ != 0) return true;
    if (depth_ == 0)
      other = true;
    else if (path_[depth_ - 1] == node::choices)
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
  std::array<node, deepest> path_{};
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0;
  std::size_t elements_ = 0;
  field field_ = field::unknown;
};

}  // namespace openai::reading

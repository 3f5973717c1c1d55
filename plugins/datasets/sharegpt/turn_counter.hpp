// Decides, while a row is parsed, whether it is one: an object with at least two
// turns. What the turns say is looked at when the row is read.
#pragma once

#include <cstdint>
#include <string_view>

#include <rapidjson/reader.h>

enum class verdict : std::uint8_t { row, no_object, no_conversations, no_list, too_few_turns };

/// "fewer than two turns"; for everything but `row`.
[[nodiscard]] std::string_view text_of(verdict reason);

/// RapidJSON handler for one element at a time.
class turn_counter : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, turn_counter> {
 public:
  /// Forgets the element before.
  void reset() { *this = {}; }
  [[nodiscard]] verdict result() const;

  bool Default() { return seen_value(); }
  bool StartObject() {
    if (depth_ == 0) object_ = true;
    seen_value();
    return ++depth_ < deepest;
  }
  bool EndObject(rapidjson::SizeType) {
    --depth_;
    return true;
  }
  bool StartArray() {
    const bool turns = depth_ == 1 && at_conversations_;
    seen_value();
    if (turns) list_ = true;
    in_turns_ |= turns;
    return ++depth_ < deepest;
  }
  bool EndArray(rapidjson::SizeType count) {
    if (--depth_ == 1 && in_turns_) {
      turns_ = count;
      in_turns_ = false;
    }
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    at_conversations_ = depth_ == 1 && std::string_view(text, size) == "conversations";
    return true;
  }

 private:
  static constexpr int deepest = 1000;  // about where Python gives up as well

  bool seen_value() {
    if (depth_ == 1 && at_conversations_) {
      conversations_ = true;
      list_ = false;  // of a repeated member the last counts
      turns_ = 0;
      at_conversations_ = false;
    }
    return true;
  }

  int depth_ = 0;
  bool object_ = false;
  bool conversations_ = false;
  bool list_ = false;
  bool at_conversations_ = false;  // the value that comes is that member
  bool in_turns_ = false;
  rapidjson::SizeType turns_ = 0;
};

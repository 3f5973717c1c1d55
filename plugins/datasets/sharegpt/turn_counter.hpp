// Decides while a record is parsed whether it is usable. A usable record is an object with a list
// of turns. The content of the turns is checked when the row is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/reader.h>

namespace sharegpt {

enum class verdict : std::uint8_t { row, no_object, no_conversations, no_list, too_few_turns };

/// Returns a text such as "fewer than two turns". `reason` must not be `row`. `least` is the number
/// of turns that a record needs, 1 or 2.
[[nodiscard]] std::string_view text_of(verdict reason, std::size_t least);

/// A RapidJSON handler for one element at a time.
class turn_counter : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, turn_counter> {
 public:
  /// Prepares the handler for the next element.
  void reset() { *this = {}; }
  [[nodiscard]] verdict result(std::size_t least) const;
  /// Returns the element's "id" if it is a text, otherwise an empty text.
  [[nodiscard]] const std::string& id() const noexcept { return id_; }

  bool Default() { return seen_value(); }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    const bool id = depth_ == 1 && member_ == member::id;
    seen_value();
    if (id) id_.assign(text, size);
    return true;
  }
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
    const bool turns = depth_ == 1 && member_ == member::conversations;
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
    if (depth_ != 1) return true;
    const std::string_view name(text, size);
    member_ = name == "conversations" ? member::conversations
              : name == "id"          ? member::id
                                      : member::other;
    return true;
  }

 private:
  static constexpr int deepest = 1000;  // Python gives up at about the same depth

  enum class member : std::uint8_t { other, conversations, id };

  // If a member is repeated, the last one counts.
  bool seen_value() {
    if (depth_ != 1) return true;
    if (member_ == member::conversations) {
      conversations_ = true;
      list_ = false;
      turns_ = 0;
    }
    if (member_ == member::id) id_.clear();
    member_ = member::other;
    return true;
  }

  int depth_ = 0;
  bool object_ = false;
  bool conversations_ = false;
  bool list_ = false;
  member member_ = member::other;  // the member to which the next value belongs
  bool in_turns_ = false;
  rapidjson::SizeType turns_ = 0;
  std::string id_;
};

}  // namespace sharegpt

// A value in a model's JSON file together with its path, for messages about the value:
// "tokenizer.json: model.merges[17]: expected two tokens".
//
// A node is a pair of pointers: to the value in the document, and to the parent node. Nodes live on
// the stack, and each node must not outlive its parent. They are created and destroyed without
// cost. The path is built only for a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace tokenizers {

/// Parses `text` in place, which overwrites it. The strings of `into` refer to `text`, which must
/// outlive it. `file` is the name in messages. The depth is limited. Throws ifb::failure
/// (IFB_E_CONFIG) with line and column.
void parse_json(std::string& text, rapidjson::Document& into, std::string_view file);

/// [one thread] The document, the parent and the key must outlive the node.
class node {
 public:
  /// A node for the whole document; every path begins with `file`.
  node(const rapidjson::Value& value, std::string_view file) noexcept
      : value_(&value), key_(file) {}

  [[nodiscard]] const rapidjson::Value& value() const noexcept { return *value_; }
  [[nodiscard]] bool is_null() const noexcept { return value_->IsNull(); }

  /// Returns the member, or nullopt if it is absent or null. Fails if this value is not an object.
  [[nodiscard]] std::optional<node> find(std::string_view key) const;
  /// Returns the member. Fails if it is absent or null.
  [[nodiscard]] node at(std::string_view key) const;
  /// Returns the node of one of value()'s members. at() may not find this member, because several
  /// members can have the same name.
  [[nodiscard]] node of(const rapidjson::Value::Member& member) const noexcept {
    return {member.value, *this, {member.name.GetString(), member.name.GetStringLength()}};
  }
  /// Returns the number of elements. Fails if this value is not a list.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] node at(std::size_t index) const;

  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  /// Returns an id or a count: a whole number from 0 to 2^32 - 1.
  [[nodiscard]] std::uint32_t u32() const;

  // Return a member, or `fallback` if the member is absent or null.
  [[nodiscard]] bool boolean(std::string_view key, bool fallback) const;
  [[nodiscard]] std::string_view text(std::string_view key, std::string_view fallback) const;
  [[nodiscard]] std::uint32_t u32(std::string_view key, std::uint32_t fallback) const;

  /// Returns a path such as "tokenizer.json: model.merges[17]".
  [[nodiscard]] std::string path() const;
  /// Throws ifb::failure (IFB_E_CONFIG) with the message "PATH: WHAT".
  [[noreturn]] void fail(std::string_view what) const;

 private:
  node(const rapidjson::Value& value, const node& parent, std::string_view key) noexcept
      : value_(&value), parent_(&parent), key_(key) {}
  node(const rapidjson::Value& value, const node& parent, std::size_t index) noexcept
      : value_(&value), parent_(&parent), index_(index) {}

  const rapidjson::Value* value_;
  const node* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

}  // namespace tokenizers

// A value in a model's JSON file together with its path, for messages about it:
// "tokenizer.json: model.merges[17]: expected two tokens".
//
// A node is a pair of pointers into the document and to the node it came from: nodes live on
// the stack, below their parents, and are made and dropped without cost. The path is put
// together only for a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace tokenizers {

/// Reads `text` in place (it is overwritten) into `into`, whose strings lie in it. `file` names
/// it in messages. Nesting is bounded. Throws ifb::failure (IFB_E_CONFIG) with line and column.
void parse_json(std::string& text, rapidjson::Document& into, std::string_view file);

/// [one thread] The document, the parent and the key outlive the node.
class node {
 public:
  /// The whole document; `file` begins every path.
  node(const rapidjson::Value& value, std::string_view file) noexcept
      : value_(&value), key_(file) {}

  [[nodiscard]] const rapidjson::Value& value() const noexcept { return *value_; }
  [[nodiscard]] bool is_null() const noexcept { return value_->IsNull(); }

  /// The member, or nullopt if it is absent or null. Fails if this is no object.
  [[nodiscard]] std::optional<node> find(std::string_view key) const;
  /// The member; fails if it is absent or null.
  [[nodiscard]] node at(std::string_view key) const;
  /// One of value()'s members, which at() may not find: several can have the same name.
  [[nodiscard]] node of(const rapidjson::Value::Member& member) const noexcept {
    return {member.value, *this, {member.name.GetString(), member.name.GetStringLength()}};
  }
  /// The number of elements; fails if this is no list.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] node at(std::size_t index) const;

  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  /// An id or a count: whole, 0 to 2^32 - 1.
  [[nodiscard]] std::uint32_t u32() const;

  // Members with a default for those that are absent or null.
  [[nodiscard]] bool boolean(std::string_view key, bool fallback) const;
  [[nodiscard]] std::string_view text(std::string_view key, std::string_view fallback) const;
  [[nodiscard]] std::uint32_t u32(std::string_view key, std::uint32_t fallback) const;

  /// "tokenizer.json: model.merges[17]"
  [[nodiscard]] std::string path() const;
  /// Throws ifb::failure (IFB_E_CONFIG): path, colon, what.
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

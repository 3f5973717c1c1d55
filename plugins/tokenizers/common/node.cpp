#include "node.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <inferbench/guard.hpp>

namespace tokenizers {

namespace {

// Real files have a smaller depth, and recursion to this depth does not overflow the stack.
constexpr std::size_t deepest_node = 64;

/// What parse_json() needs to know about a text before RapidJSON overwrites it.
struct outline {
  bool too_deep = false;  // brackets outside of strings are nested more than `deepest_node` levels
  std::vector<std::size_t> newlines;  // offsets of the newlines outside of strings, ascending
};

outline outline_of(std::string_view text) {
  outline out;
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '\n') {
      out.newlines.push_back(i);
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_node) return {.too_deep = true, .newlines = {}};
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return out;
}

/// "12:7": line and column of the byte at `offset`, from 1.
std::string position_of(std::size_t offset, const std::vector<std::size_t>& newlines) {
  const auto next = std::ranges::lower_bound(newlines, offset);
  const std::size_t begin = next == newlines.begin() ? 0 : *std::prev(next) + 1;
  return std::to_string(next - newlines.begin() + 1) + ":" + std::to_string(offset - begin + 1);
}

std::string_view kind_of(const rapidjson::Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType: return "a boolean";
    case rapidjson::kObjectType: return "an object";
    case rapidjson::kArrayType: return "a list";
    case rapidjson::kStringType: return "a string";
    case rapidjson::kNumberType: return "a number";
  }
  return "something else";
}

}  // namespace

void parse_json(std::string& text, rapidjson::Document& into, std::string_view file) {
  const outline before = outline_of(text);
  if (before.too_deep)
    throw ifb::failure(IFB_E_CONFIG, std::string(file) + ": nested more than " +
                                         std::to_string(deepest_node) + " levels deep");
  into.ParseInsitu<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag>(
      text.data());
  if (!into.HasParseError()) return;
  throw ifb::failure(IFB_E_CONFIG, std::string(file) + ":" +
                                       position_of(into.GetErrorOffset(), before.newlines) +
                                       ": not well-formed JSON");
}

std::optional<node> node::find(std::string_view key) const {
  if (!value_->IsObject()) fail("expected an object, not " + std::string(kind_of(*value_)));
  const auto member = value_->FindMember(rapidjson::Value(
      rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size()))));
  if (member == value_->MemberEnd() || member->value.IsNull()) return std::nullopt;
  return node(member->value, *this, key);
}

node node::at(std::string_view key) const {
  const auto found = find(key);
  if (!found) fail("\"" + std::string(key) + "\" is missing");
  return *found;
}

std::size_t node::size() const {
  if (!value_->IsArray()) fail("expected a list, not " + std::string(kind_of(*value_)));
  return value_->Size();
}

node node::at(std::size_t index) const {
  if (index >= size()) fail("has no element " + std::to_string(index));
  return {(*value_)[static_cast<rapidjson::SizeType>(index)], *this, index};
}

std::string_view node::text() const {
  if (!value_->IsString()) fail("expected a string, not " + std::string(kind_of(*value_)));
  return {value_->GetString(), value_->GetStringLength()};
}

bool node::boolean() const {
  if (!value_->IsBool()) fail("expected true or false, not " + std::string(kind_of(*value_)));
  return value_->GetBool();
}

double node::number() const {
  if (!value_->IsNumber()) fail("expected a number, not " + std::string(kind_of(*value_)));
  return value_->GetDouble();
}

std::uint32_t node::u32() const {
  if (!value_->IsUint()) fail("expected a whole number from 0 to 4294967295");
  return value_->GetUint();
}

bool node::boolean(std::string_view key, bool fallback) const {
  const auto found = find(key);
  return found ? found->boolean() : fallback;
}

std::string_view node::text(std::string_view key, std::string_view fallback) const {
  const auto found = find(key);
  return found ? found->text() : fallback;
}

std::uint32_t node::u32(std::string_view key, std::uint32_t fallback) const {
  const auto found = find(key);
  return found ? found->u32() : fallback;
}

std::string node::path() const {
  if (parent_ == nullptr) return std::string(key_);
  std::string above = parent_->path();
  if (key_.data() == nullptr) return above + "[" + std::to_string(index_) + "]";
  return above + (parent_->parent_ == nullptr ? ": " : ".") + std::string(key_);
}

void node::fail(std::string_view what) const {
  throw ifb::failure(IFB_E_CONFIG, path() + ": " + std::string(what));
}

}  // namespace tokenizers

#include "json_place.hpp"

#include <algorithm>
#include <vector>

namespace python_engine {

namespace {

constexpr std::size_t most_levels = 64;

/// Counts brackets before the text is parsed, so that a deep text costs no memory.
bool too_deep(std::string_view text) noexcept {
  std::size_t level = 0;
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
    } else if (c == '{' || c == '[') {
      if (++level > most_levels) return true;
    } else if ((c == '}' || c == ']') && level > 0) {
      --level;
    }
  }
  return false;
}

/// A key that occurs twice in one object; empty if there is none. At most 64 levels of recursion.
std::string repeated_key(const ifb::json_value& value) {
  if (value.IsArray())
    for (const ifb::json_value& each : value.GetArray())
      if (std::string found = repeated_key(each); !found.empty()) return found;
  if (!value.IsObject()) return {};
  std::vector<std::string_view> keys;
  keys.reserve(value.MemberCount());
  for (const auto& each : value.GetObject()) {
    keys.push_back(ifb::text_of(&each.name));
    if (std::string found = repeated_key(each.value); !found.empty()) return found;
  }
  std::ranges::sort(keys);
  const auto twice = std::ranges::adjacent_find(keys);
  return twice == keys.end() ? std::string() : "\"" + std::string(*twice) + "\"";
}

}  // namespace

ifb::json_document read_value(std::string_view text, ifb_status code) {
  if (text.starts_with("\xEF\xBB\xBF"))
    throw ifb::failure{code, "the JSON begins with a byte order mark"};
  if (too_deep(text)) throw ifb::failure{code, "the JSON has more than 64 levels"};
  ifb::json_document out = ifb::read_json(text, code);
  if (const std::string key = repeated_key(out); !key.empty())
    throw ifb::failure{code, "the key " + key + " comes twice in one object"};
  return out;
}

ifb::json_document read_object(std::string_view text, ifb_status code) {
  ifb::json_document out = read_value(text, code);
  if (!out.IsObject()) throw ifb::failure{code, "not a JSON object"};
  return out;
}

ifb::json_document read_payload(const frame& in) {
  try {
    return read_object(in.payload, IFB_E_PROTOCOL);
  } catch (const ifb::failure& e) {
    throw violation(in, e.message());
  }
}

json_place json_place::member(std::string_view name) const {
  return {*this, name, 0, ifb::find(value_, name)};
}

json_place json_place::element(std::size_t index) const noexcept {
  return {*this, {}, index, &(*value_)[static_cast<rapidjson::SizeType>(index)]};
}

bool json_place::is_set() const noexcept { return value_ != nullptr && !value_->IsNull(); }

std::int64_t json_place::integer(std::int64_t least, std::int64_t most) const {
  if (value_ == nullptr) throw refusal("missing");
  if (!value_->IsInt64() && !value_->IsUint64()) throw refusal("not an integer");
  if (!value_->IsInt64() || value_->GetInt64() > most)
    throw refusal("greater than " + std::to_string(most));
  if (value_->GetInt64() < least) throw refusal("less than " + std::to_string(least));
  return value_->GetInt64();
}

std::int64_t json_place::integer_or(std::int64_t otherwise, std::int64_t least,
                                    std::int64_t most) const {
  if (value_ == nullptr || (otherwise < 0 && value_->IsNull())) return otherwise;
  return integer(least, most);
}

double json_place::number() const {
  if (value_ == nullptr) throw refusal("missing");
  if (!value_->IsNumber()) throw refusal("not a number");
  return value_->GetDouble();
}

bool json_place::boolean_or(bool otherwise) const {
  if (value_ == nullptr) return otherwise;
  if (!value_->IsBool()) throw refusal("not true or false");
  return value_->GetBool();
}

std::string_view json_place::text() const {
  if (value_ == nullptr) throw refusal("missing");
  if (!value_->IsString()) throw refusal("not a string");
  return ifb::text_of(value_);
}

std::string_view json_place::text_or(std::string_view otherwise) const {
  return value_ == nullptr ? otherwise : text();
}

std::size_t json_place::size() const {
  if (value_ == nullptr) return 0;
  if (!value_->IsArray()) throw refusal("not a list");
  return value_->Size();
}

void json_place::require_object() const {
  if (value_ == nullptr) throw refusal("missing");
  if (!value_->IsObject()) throw refusal("not an object");
}

std::string json_place::path() const {
  if (parent_ == nullptr) return {};
  std::string out = parent_->path();
  if (key_.empty()) return out + "[" + std::to_string(index_) + "]";
  return out + (out.empty() ? "" : ".") + std::string(key_);
}

ifb::failure json_place::refusal(const std::string& what) const {
  const std::string at = path();
  return violation(frame_, at.empty() ? what : at + ": " + what);
}

}  // namespace python_engine

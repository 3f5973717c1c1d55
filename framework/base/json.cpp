#include "base/json.hpp"

#include <algorithm>

#include <rapidjson/error/en.h>

#include "base/error.hpp"

namespace inferbench::base {

rapidjson::Document parse_json(std::string_view text, const std::string& place) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag |
                 rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (!document.HasParseError()) return document;
  const std::string_view before = text.substr(0, document.GetErrorOffset());
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  const auto start = before.rfind('\n');
  const auto column = static_cast<std::uint32_t>(
      before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1);
  std::string why = rapidjson::GetParseError_En(document.GetParseError());
  if (!why.empty() && why.back() == '.') why.pop_back();
  throw error("malformed JSON: " + why, {}, {place, line, column});
}

const json_value* find(const json_value& object, std::string_view key) noexcept {
  if (!object.IsObject()) return nullptr;
  const auto at = object.FindMember(
      json_value(rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size()))));
  return at == object.MemberEnd() ? nullptr : &at->value;
}

std::string_view text_of(const json_value* value) noexcept {
  if (value == nullptr || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

void write(ifb::json_writer& out, const json_value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: out.null(); return;
    case rapidjson::kFalseType: out.boolean(false); return;
    case rapidjson::kTrueType: out.boolean(true); return;
    case rapidjson::kStringType: out.string({value.GetString(), value.GetStringLength()}); return;
    case rapidjson::kNumberType:
      if (value.IsUint64())
        out.integer(value.GetUint64());
      else if (value.IsInt64())
        out.integer(value.GetInt64());
      else
        out.number(value.GetDouble());
      return;
    case rapidjson::kArrayType:
      out.begin_array();
      for (const auto& item : value.GetArray())
        write(out, item);
      out.end_array();
      return;
    case rapidjson::kObjectType:
      out.begin_object();
      for (const auto& member : value.GetObject()) {
        out.key({member.name.GetString(), member.name.GetStringLength()});
        write(out, member.value);
      }
      out.end_object();
      return;
  }
}

std::string to_text(const json_value& value) {
  ifb::json_writer out;
  write(out, value);
  return out.take();
}

}  // namespace inferbench::base

#include "json_value.hpp"

#include <inferbench/text.hpp>

namespace reporters {
namespace {

void put(json_value& value, const std::string& text, rapidjson::Document::AllocatorType& memory) {
  if (text != text_of(&value)) value.SetString(text, memory);
}

void cut_secrets(json_value& value, rapidjson::Document::AllocatorType& memory) {
  if (value.IsString()) {
    put(value, ifb::without_password(text_of(&value)), memory);
  } else if (value.IsArray()) {
    for (json_value& each : value.GetArray())
      cut_secrets(each, memory);
  } else if (value.IsObject()) {
    for (auto& [name, each] : value.GetObject()) {
      if (text_of(&name) == "proxy" && each.IsString())
        put(each, ifb::without_proxy_password(text_of(&each)), memory);
      else
        cut_secrets(each, memory);
    }
  }
}

}  // namespace

rapidjson::Document parse_object(std::string_view json) {
  rapidjson::Document out;
  out.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag>(json.data(),
                                                                                 json.size());
  if (out.HasParseError() || !out.IsObject()) out.SetObject();
  return out;
}

const json_value* member(const json_value* object, std::string_view name) {
  if (object == nullptr || !object->IsObject()) return nullptr;
  const auto at = object->FindMember(
      json_value(rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size()))));
  return at == object->MemberEnd() ? nullptr : &at->value;
}

std::string_view text_of(const json_value* value) {
  if (value == nullptr || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

void write(ifb::json_writer& out, const json_value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: return out.null();
    case rapidjson::kFalseType: return out.boolean(false);
    case rapidjson::kTrueType: return out.boolean(true);
    case rapidjson::kStringType: return out.string(text_of(&value));
    case rapidjson::kNumberType:
      if (value.IsInt64()) return out.integer(value.GetInt64());
      if (value.IsUint64()) return out.integer(value.GetUint64());
      return out.number(value.GetDouble());
    case rapidjson::kArrayType:
      out.begin_array();
      for (const json_value& each : value.GetArray())
        write(out, each);
      return out.end_array();
    case rapidjson::kObjectType:
      out.begin_object();
      for (const auto& [name, each] : value.GetObject()) {
        out.key(text_of(&name));
        write(out, each);
      }
      return out.end_object();
  }
}

std::string to_text(const json_value& value) {
  ifb::json_writer out;
  write(out, value);
  return out.take();
}

rapidjson::Document plan_of(std::string_view config_json) {
  rapidjson::Document out = parse_object(config_json);
  out.RemoveMember("resolved");
  const auto server = out.FindMember("server");
  if (server != out.MemberEnd()) cut_secrets(server->value, out.GetAllocator());
  return out;
}

rapidjson::Document flags_of(std::string_view config_json) {
  rapidjson::Document all = parse_object(config_json);
  rapidjson::Document out;
  if (const json_value* flags = member(member(&all, "resolved"), "flags")) {
    out.CopyFrom(*flags, out.GetAllocator());
    cut_secrets(out, out.GetAllocator());
  }
  return out;
}

}  // namespace reporters

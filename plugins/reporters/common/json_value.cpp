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
  if (ifb::parse_json(json, out) || !out.IsObject()) out.SetObject();
  return out;
}

rapidjson::Document plan_of(std::string_view config_json) {
  rapidjson::Document out = parse_object(config_json);
  out.RemoveMember("resolved");
  const auto server = out.FindMember("server");
  if (server != out.MemberEnd()) cut_secrets(server->value, out.GetAllocator());
  return out;
}

rapidjson::Document description_of(std::string_view config_json) {
  const rapidjson::Document all = parse_object(config_json);
  rapidjson::Document out;
  out.SetObject();
  if (const json_value* resolved = find(all, "resolved");
      resolved != nullptr && resolved->IsObject())
    out.CopyFrom(*resolved, out.GetAllocator());
  const auto flags = out.FindMember("flags");
  if (flags != out.MemberEnd()) cut_secrets(flags->value, out.GetAllocator());
  return out;
}

rapidjson::Document flags_of(std::string_view config_json) {
  rapidjson::Document all = parse_object(config_json);
  rapidjson::Document out;
  if (const json_value* flags = find(find(all, "resolved"), "flags")) {
    out.CopyFrom(*flags, out.GetAllocator());
    cut_secrets(out, out.GetAllocator());
  }
  return out;
}

}  // namespace reporters

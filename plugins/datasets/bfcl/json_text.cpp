#include "json_text.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

#include <inferbench/json_writer.hpp>

namespace bfcl {

namespace {

std::string_view view(const rapidjson::Value& text) {
  return {text.GetString(), text.GetStringLength()};
}

std::string_view schema_type(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"dict", "object"}, {"float", "number"}, {"tuple", "array"}, {"any", "string"}};
  for (const auto& [python, schema] : names)
    if (name == python) return schema;
  return name;
}

// `renamed`: names of Python types become names of JSON Schema.
void write(ifb::json_writer& out, const rapidjson::Value& value, bool renamed, int level = 0) {
  if (level > deepest) throw std::length_error("nested too deeply");
  if (value.IsObject()) {
    out.begin_object();
    for (const auto& each : value.GetObject()) {
      const std::string_view name = view(each.name);
      out.key(name);
      if (renamed && name == "type" && each.value.IsString())
        out.string(schema_type(view(each.value)));
      else
        write(out, each.value, renamed, level + 1);
    }
    out.end_object();
  } else if (value.IsArray()) {
    out.begin_array();
    for (const auto& each : value.GetArray())
      write(out, each, renamed, level + 1);
    out.end_array();
  } else if (value.IsString()) {
    out.string(view(value));
  } else if (value.IsBool()) {
    out.boolean(value.GetBool());
  } else if (value.IsInt64()) {
    out.integer(value.GetInt64());
  } else if (value.IsUint64()) {
    out.integer(value.GetUint64());
  } else if (value.IsNumber()) {
    out.number(value.GetDouble());
  } else {
    out.null();
  }
}

}  // namespace

std::string json_of(const rapidjson::Value& value) {
  ifb::json_writer out;
  write(out, value, false);
  return out.take();
}

std::string tools_of(const rapidjson::Value& functions) {
  ifb::json_writer out;
  const auto tool = [&](const rapidjson::Value& function) {
    out.begin_object();
    out.member("type", "function");
    out.key("function");
    write(out, function, true);
    out.end_object();
  };
  out.begin_array();
  if (functions.IsArray())
    for (const auto& each : functions.GetArray())
      tool(each);
  else
    tool(functions);
  out.end_array();
  return out.take();
}

}  // namespace bfcl

#include "call_list.hpp"

#include <utility>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>

namespace scorers {

std::optional<call> call_of(const rapidjson::Value& value) {
  const rapidjson::Value* const name = ifb::find(value, "name");
  const rapidjson::Value* const arguments = ifb::find(value, "arguments");
  if (name == nullptr || !name->IsString() || arguments == nullptr) return std::nullopt;
  call out;
  out.name = ifb::text_of(name);
  if (arguments->IsString())
    out.outcome = out.arguments.read(ifb::text_of(arguments));
  else
    out.outcome = out.arguments.read(ifb::to_text(*arguments));
  return out;
}

std::optional<std::vector<call>> read_calls(std::string_view text) {
  json_tree all;
  if (all.read(text) != tree_outcome::read || !all.root().IsArray()) return std::nullopt;
  std::vector<call> out;
  for (const auto& each : all.root().GetArray()) {
    auto one = call_of(each);
    if (!one) return std::nullopt;
    out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace scorers

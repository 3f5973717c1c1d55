#include "tool_set.hpp"

#include <algorithm>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>

#include "scorers/common/json_tree.hpp"
#include "scorers/common/prepared_schema.hpp"

namespace scorers {
namespace {

std::vector<std::string> required_of(const rapidjson::Value& parameters) {
  std::vector<std::string> out;
  const rapidjson::Value* const names = ifb::find(parameters, "required");
  if (names == nullptr || !names->IsArray()) return out;
  for (const auto& each : names->GetArray())
    if (each.IsString()) out.emplace_back(ifb::text_of(&each));
  return out;
}

}  // namespace

tool_set::tool_set(std::string_view text) {
  json_tree all;
  if (all.read(text) != tree_outcome::read || !all.root().IsArray()) return;
  for (const auto& each : all.root().GetArray()) {
    const rapidjson::Value* const inner = ifb::find(each, "function");
    const rapidjson::Value& function = inner != nullptr ? *inner : each;
    const rapidjson::Value* const name = ifb::find(function, "name");
    if (name == nullptr || !name->IsString()) return;
    const rapidjson::Value* const parameters = ifb::find(function, "parameters");
    tool wanted;
    if (parameters != nullptr && !parameters->IsNull()) {
      wanted.arguments.emplace(*parameters, type_names::of_tools);
      wanted.required = required_of(*parameters);
    }
    tools_.insert_or_assign(std::string(ifb::text_of(name)), std::move(wanted));
  }
  usable_ = true;
}

const schema* tool_set::arguments_of(std::string_view name) const {
  const auto at = tools_.find(name);
  return at != tools_.end() && at->second.arguments ? &*at->second.arguments : nullptr;
}

bool tool_set::has_required(std::string_view name, const rapidjson::Value& arguments) const {
  const auto at = tools_.find(name);
  return at == tools_.end() ||
         std::ranges::all_of(at->second.required, [&](const std::string& each) {
           return ifb::find(arguments, each) != nullptr;
         });
}

}  // namespace scorers

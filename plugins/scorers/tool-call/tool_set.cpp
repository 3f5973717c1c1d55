#include "tool_set.hpp"

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>

#include "scorers/common/json_tree.hpp"
#include "scorers/common/prepared_schema.hpp"

namespace scorers {

tool_set::tool_set(std::string_view text) {
  json_tree all;
  if (all.read(text) != tree_outcome::read || !all.root().IsArray()) return;
  for (const auto& each : all.root().GetArray()) {
    const rapidjson::Value* const inner = ifb::find(each, "function");
    const rapidjson::Value& function = inner != nullptr ? *inner : each;
    const rapidjson::Value* const name = ifb::find(function, "name");
    if (name == nullptr || !name->IsString()) return;
    const rapidjson::Value* const parameters = ifb::find(function, "parameters");
    std::optional<schema> wanted;
    if (parameters != nullptr && !parameters->IsNull())
      wanted.emplace(*parameters, type_names::of_tools);
    tools_.insert_or_assign(std::string(ifb::text_of(name)), std::move(wanted));
  }
  usable_ = true;
}

const schema* tool_set::arguments_of(std::string_view name) const {
  const auto at = tools_.find(name);
  return at != tools_.end() && at->second ? &*at->second : nullptr;
}

}  // namespace scorers

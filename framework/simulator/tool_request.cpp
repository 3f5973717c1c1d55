#include "simulator/tool_request.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "simulator/schema_instance.hpp"

namespace inferbench::simulator {

namespace {

using base::find;
using base::json_value;
using base::text_of;

struct offered_tool {
  std::string_view name;
  const json_value* parameters;  // nullptr: the tool has none
};

bool is_function(const json_value& tool) {
  const json_value* type = find(tool, "type");
  return type == nullptr || text_of(type) == "function";
}

/// The object with name and parameters; nullptr if it is missing.
const json_value* function_of(const json_value& tool, tool_layout layout) {
  const json_value* function = layout == tool_layout::chat ? find(tool, "function") : &tool;
  return function != nullptr && function->IsObject() ? function : nullptr;
}

std::vector<offered_tool> read_tools(body_reader& body, const json_value& tools,
                                     tool_layout layout) {
  std::vector<offered_tool> out;
  for (rapidjson::SizeType i = 0; i < tools.Size(); ++i) {
    const json_value& tool = tools[i];
    std::string place = "tools." + std::to_string(i);
    if (!tool.IsObject()) return body.refuse(place, "must be an object."), out;
    if (!is_function(tool)) {
      if (layout == tool_layout::response) continue;
      return body.refuse(place + ".type", "must be function."), out;
    }
    if (layout == tool_layout::chat) place += ".function";
    const json_value* function = function_of(tool, layout);
    if (function == nullptr) return body.refuse(place, "must be an object."), out;
    const std::string_view name = text_of(find(*function, "name"));
    if (name.empty()) return body.refuse(place + ".name", "must be a text that is not empty."), out;
    const json_value* parameters = find(*function, "parameters");
    if (parameters != nullptr && parameters->IsNull()) parameters = nullptr;
    if (parameters != nullptr && !parameters->IsObject())
      return body.refuse(place + ".parameters", "must be an object."), out;
    out.push_back({name, parameters});
  }
  return out;
}

/// The tool that the answer calls; nullptr: none.
const offered_tool* chosen_tool(body_reader& body, const std::vector<offered_tool>& tools,
                                tool_layout layout) {
  const offered_tool* const first = tools.empty() ? nullptr : tools.data();
  const json_value* choice = body.find("tool_choice");
  if (choice == nullptr) return first;
  if (choice->IsString()) {
    const std::string_view word = text_of(choice);
    if (word == "none") return nullptr;
    if (word != "auto" && word != "required")
      body.refuse("tool_choice", "must be none, auto, required or a tool.");
    return first;
  }
  if (!choice->IsObject()) {
    body.refuse("tool_choice", "must be none, auto, required or a tool.");
    return nullptr;
  }
  if (!is_function(*choice)) {
    // A request of the Responses API may choose a hosted tool, which this server does not have.
    if (layout == tool_layout::chat) body.refuse("tool_choice.type", "must be function.");
    return nullptr;
  }
  const json_value* function = function_of(*choice, layout);
  const std::string_view name =
      function == nullptr ? std::string_view() : std::string_view(text_of(find(*function, "name")));
  const auto at = std::ranges::find(tools, name, &offered_tool::name);
  if (at != tools.end()) return &*at;
  body.refuse("tool_choice", "names a tool that is not in tools.");
  return nullptr;
}

std::string unknown_name_for(const std::vector<offered_tool>& tools) {
  std::vector<std::string_view> taken;
  taken.reserve(tools.size());
  for (const offered_tool& each : tools)
    taken.push_back(each.name);
  std::ranges::sort(taken);
  std::string out = "no_such_tool";
  for (std::size_t i = 1; std::ranges::binary_search(taken, std::string_view(out)); ++i)
    out = "no_such_tool_" + std::to_string(i);
  return out;
}

bool is_object(const std::string& json) { return json.starts_with('{'); }

}  // namespace

demanded_call read_call(body_reader& body, tool_layout layout) {
  demanded_call out;
  body.list("tools");
  const json_value* tools = body.find("tools");
  if (tools == nullptr || tools->Empty()) return out;
  const std::vector<offered_tool> offered = read_tools(body, *tools, layout);
  if (!body.good()) return out;
  const offered_tool* const chosen = chosen_tool(body, offered, layout);
  if (chosen == nullptr || !body.good()) return out;
  out.name = chosen->name;
  out.unknown_name = unknown_name_for(offered);
  if (chosen->parameters == nullptr) {
    out.arguments = "{}";
    return out;
  }
  auto samples = samples_of_schema(*chosen->parameters);
  // The arguments of a call are an object, whatever the schema says.
  if (!samples || !is_object(samples->accepted)) return out;
  out.arguments = std::move(samples->accepted);
  if (samples->refused && is_object(*samples->refused)) out.refused = std::move(samples->refused);
  return out;
}

}  // namespace inferbench::simulator

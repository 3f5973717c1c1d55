#include "response_tools.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include "backends/bodies/json.hpp"

namespace openai {
namespace {

/// Returns the elements of a JSON array, which must be well-formed and without white space.
std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> out;
  std::size_t begin = 1;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 1; i < array.size(); ++i) {
    const char c = array[i];
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      if (i > begin) out.push_back(array.substr(begin, i - begin));
      begin = i + 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return out;
}

void append_member(std::string& out, const bodies::member& what) {
  if (out.size() > 1) out += ',';
  out += bodies::quoted(what.key);
  out += ':';
  out += what.value;
}

/// Moves the members of `function` into the object around it.
std::string flat(std::string_view object) {
  std::string why;
  const auto outer = bodies::object_members(object, why);
  if (!outer) return std::string(object);
  std::string out = "{";
  bool moved = false;
  for (const bodies::member& each : *outer) {
    const auto inner = each.key == "function" ? bodies::object_members(each.value, why)
                                              : std::optional<std::vector<bodies::member>>();
    if (!inner) {
      append_member(out, each);
      continue;
    }
    moved = true;
    for (const bodies::member& part : *inner)
      if (part.key != "type") append_member(out, part);
  }
  return moved ? out + '}' : std::string(object);
}

std::string flat_list(std::string_view array) {
  std::string out = "[";
  for (const std::string_view tool : elements_of(array)) {
    if (out.size() > 1) out += ',';
    out += flat(tool);
  }
  return out + ']';
}

}  // namespace

std::string with_response_tools(std::string_view overrides) {
  std::string why;
  const auto members = bodies::object_members(overrides, why);
  if (!members) return std::string(overrides);
  std::string out = "{";
  for (bodies::member each : *members) {
    if (each.key == "tools" && each.value.starts_with('[')) each.value = flat_list(each.value);
    if (each.key == "tool_choice") each.value = flat(each.value);
    append_member(out, each);
  }
  return out + '}';
}

}  // namespace openai

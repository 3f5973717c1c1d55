// The tools of a request, by name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "scorers/common/schema.hpp"

namespace scorers {

/// One thread at a time, because a schema is. Movable.
class tool_set {
 public:
  /// `text` is a JSON array of tools: {"type": "function", "function": {"name": ...,
  /// "parameters": SCHEMA}}, or only the inner object. A fault does not throw: usable() is then
  /// false.
  explicit tool_set(std::string_view text);

  [[nodiscard]] bool usable() const noexcept { return usable_; }
  [[nodiscard]] bool has(std::string_view name) const { return tools_.contains(name); }
  /// The schema of the arguments of a tool that the set has; nullptr: the tool accepts any object.
  /// The schema may be unusable.
  [[nodiscard]] const schema* arguments_of(std::string_view name) const;
  /// Returns whether the object `arguments` has all members that the parameters of the tool name in
  /// their own list `required`; true if the set does not have the tool.
  [[nodiscard]] bool has_required(std::string_view name, const rapidjson::Value& arguments) const;

 private:
  struct tool {
    std::optional<schema> arguments;
    std::vector<std::string> required;
  };
  std::map<std::string, tool, std::less<>> tools_;
  bool usable_ = false;
};

}  // namespace scorers

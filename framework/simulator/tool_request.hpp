// The call of a tool that a chat or a response has as its answer: `tools` and `tool_choice` of the
// request, in the forms of the two APIs. Also the calls that the tools accept and that they do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/body_reader.hpp"

namespace inferbench::simulator {

/// The two layouts of a tool: a chat has {"type": "function", "function": {"name": ...}}, a
/// response {"type": "function", "name": ...}.
enum class tool_layout : std::uint8_t { chat, response };

struct demanded_call {
  std::string name;  // of the tool that is called; empty: the answer is a text
  // A JSON object that the parameters of the tool accept; nullopt: the simulator cannot make such
  // an object (schema_instance.hpp).
  std::optional<std::string> arguments;
  // A JSON object that the parameters certainly refuse; nullopt: there is no such object.
  std::optional<std::string> refused;
  std::string unknown_name;  // no tool of the request has this name
};

/// Reads the call of the first tool, or of the tool that `tool_choice` names. There is none if the
/// request has no tools, or for the choice "none"; "auto" and "required" call a tool. Hosted tools
/// of a response have another type than "function"; they are not called. Refuses members of wrong
/// types, a tool without a name, and the choice of a tool that the request does not have. Without
/// tools, `tool_choice` is ignored.
[[nodiscard]] demanded_call read_call(body_reader& body, tool_layout layout);

}  // namespace inferbench::simulator

// The tools of a request for /v1/responses. Data sets give tools in the layout of a chat; a
// response has another layout.
#pragma once

#include <string>
#include <string_view>

namespace openai {

/// Returns the members of a request with `tools` and `tool_choice` in the layout of a response:
/// {"type": "function", "function": {"name": ...}} becomes {"type": "function", "name": ...}.
/// Everything else stays as it is, also a text that is no JSON object, and numbers keep their
/// spelling. `overrides` is the JSON text of an object. Safe for any depth.
[[nodiscard]] std::string with_response_tools(std::string_view overrides);

}  // namespace openai

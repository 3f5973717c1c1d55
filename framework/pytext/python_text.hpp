// Values as Python prints them. Names of folders, arguments, console lines, group labels and CSV
// cells of `vllm bench sweep` use these texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_reader.hpp>

#include "options/node.hpp"

namespace inferbench::pytext {

// Pure functions. Numbers are in the shortest form that reads back as the same value. Values are
// printed by recursion and must not have more levels than options::deepest.

/// str(value): a text as it is, True, None, 0.7, 1e+16, [1, 'a'], {'k': 1}.
[[nodiscard]] std::string python_text(const options::node& value);
[[nodiscard]] std::string python_text(const ifb::json_value& value);
/// repr(value): the same with texts in quotes. Characters that Python does not print are escaped;
/// code points that Unicode has not assigned are printed as they are.
[[nodiscard]] std::string python_repr(const options::node& value);
[[nodiscard]] std::string python_repr(const ifb::json_value& value);
[[nodiscard]] std::string python_repr(std::string_view text);
/// The text of a list of arguments: ['vllm', 'serve'].
[[nodiscard]] std::string python_repr(const std::vector<std::string>& words);
/// json.dumps(value): separators ", " and ": ", characters beyond ASCII as \uXXXX, and NaN and
/// Infinity, which other readers of JSON refuse.
[[nodiscard]] std::string python_json(const options::node& value);
/// json.dumps(value, indent=indent), without a line break at the end. indent 0: json.dumps(value).
[[nodiscard]] std::string python_json(const ifb::json_value& value, int indent);

}  // namespace inferbench::pytext

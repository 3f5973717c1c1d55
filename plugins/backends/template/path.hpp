// A path to a value in an answer, as a template writes it: choices[0].delta.content. Any thread may
// call the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace template_backend {

/// One step: to a member by its name, or to an element by its index.
struct step {
  std::string key;          // used if `in_list` is false
  std::uint32_t index = 0;  // used if `in_list` is true
  bool in_list = false;
};

/// The steps from the root of a message to a value; never empty.
using path = std::vector<step>;

/// The maximum number of steps in a path.
inline constexpr std::size_t longest_path = 16;

/// Parses a path. Names are joined by dots; indices of list elements are in brackets and begin at
/// 0. A name that contains a dot, a bracket, a quote, a space or a tab is written in brackets and
/// double quotes, a["b.c"][0]; \" and \\ within the quotes are a quote and a backslash. If `text`
/// is not a path, returns nullopt and stores the reason in `why`.
[[nodiscard]] std::optional<path> parse_path(std::string_view text, std::string& why);

}  // namespace template_backend

// A place in an answer, written as in a template: choices[0].delta.content. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace template_backend {

/// One step: to a member by its name, or to an element by its number.
struct step {
  std::string key;
  std::uint32_t index = 0;
  bool in_list = false;
};

/// From the root of a message to a value; never empty.
using path = std::vector<step>;

/// Steps that a path may have.
inline constexpr std::size_t longest_path = 16;

/// Names are joined by dots, elements of lists counted from 0 in brackets. A name with a dot, a
/// bracket, a quote or a blank stands in brackets and quotes, a["b.c"][0], with \" and \\ for a
/// quote and a backslash in it. nullopt when `text` is no path, with the reason in `why`.
[[nodiscard]] std::optional<path> parse_path(std::string_view text, std::string& why);

}  // namespace template_backend

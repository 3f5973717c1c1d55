// The methods of Python's str that templates can call, in four groups.
#pragma once

#include <span>

#include "call.hpp"

namespace jinja {

[[nodiscard]] std::span<const entry> split_methods();
[[nodiscard]] std::span<const entry> search_methods();
[[nodiscard]] std::span<const entry> layout_methods();
[[nodiscard]] std::span<const entry> case_methods();

/// Returns the method `name` of str with these parameters, which must be passed by position.
constexpr signature text_method(const char* name, std::array<std::string_view, 6> parameters,
                                std::size_t required, plain_function run,
                                manner how = manner::positional) {
  return {name, parameters, required, run, how, 0, "str"};
}

/// Returns a string with the content `text` and the type of `model`: Markup if `model` is Markup.
[[nodiscard]] value like(rendering& r, const value& model, std::string_view text);

}  // namespace jinja

// From what the user wrote to the value of a declared option, and back. Defaults and
// environment variables take the same way, so there is one place that decides what a
// duration, a size or a choice is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "config/environment.hpp"
#include "config/node.hpp"
#include "config/option.hpp"
#include "config/plan.hpp"

namespace inferbench::config {

/// The value that `given` stands for. Throws base::error at its position: wrong type,
/// out of range, no such choice; messages begin with the path of the key unless the
/// position is a flag.
[[nodiscard]] option_value check(const option& declared, const node& given, const environment& env);

/// What a flag or --set says: `texts` is one text, or the items of a list.
[[nodiscard]] node node_of_text(const option& declared, std::span<const std::string> texts,
                                const base::source_position& where);

/// The declared default, or a value that is not set.
[[nodiscard]] option_value fallback_of(const option& declared, const environment& env);

/// `value` of `from` in the type of `declared`, for what the host forwards to a plugin.
/// Throws base::error when the types do not go together.
[[nodiscard]] option_value converted(const option& declared, const option& from,
                                     const option_value& value, const environment& env);

/// A value that is set, back as a node that check() accepts.
[[nodiscard]] node node_of(const option& declared, const option_value& value);

/// An item of a list of pairs, with the environment variable that it names filled in.
/// Throws base::error when that is not set.
[[nodiscard]] std::pair<std::string, std::string> resolve_pair(std::string_view item,
                                                               const environment& env,
                                                               const base::source_position& where);

}  // namespace inferbench::config

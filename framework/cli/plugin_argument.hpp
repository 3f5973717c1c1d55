// The argument of `inferbench plugin show` and `inferbench plugin check`: ID, NAME:ID, FILE or
// FILE:ID.
#pragma once

#include <span>
#include <string>

#include "plugin/library.hpp"
#include "plugin/search.hpp"

namespace inferbench::cli {

/// A path is recognised by its slash. A file in the working directory needs no slash; the result
/// has it. Throws base::error if the name or the id is empty.
[[nodiscard]] plugin::wanted plugin_of_argument(const std::string& text);

/// The error for an id that the library does not have.
[[noreturn]] void no_such_plugin(const std::string& library, const std::string& id,
                                 std::span<const plugin::described> plugins);

/// The sentence about a plugin that needs a later host: "plugin a is of kind 5, ...".
[[nodiscard]] std::string sentence_of_later(const plugin::described& plugin);

}  // namespace inferbench::cli

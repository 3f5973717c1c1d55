// Turns the text that the user wrote on the command line into a node of the option's type. This
// comes before check.hpp. toml.hpp makes the nodes of files.
#pragma once

#include <span>
#include <string>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::options {

/// The value of a flag or of --set: `texts` is one text, or the items of a list. If an option needs
/// a number or a boolean and the text is neither, the node is a text, which check() refuses. Throws
/// usage_error: bad UTF-8, bad JSON.
[[nodiscard]] node node_of_text(const option& declared, std::span<const std::string> texts,
                                const base::source_position& where);

/// Whether `text` holds JSON that to_toml() (node.hpp) may have written as a text: an object, a
/// list, a quoted text or a whole number beyond 64 bits. If so, `out` is the parsed value.
[[nodiscard]] bool holds_json(const std::string& text, node& out);

}  // namespace inferbench::options

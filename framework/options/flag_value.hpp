// Turns the text that the user wrote on the command line into a node of the option's type.
// check.hpp then checks the node. The nodes of files are made by toml.hpp.
#pragma once

#include <span>
#include <string>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::options {

/// The value of a flag or of --set. `texts`: one text, or the items of a list. If the option needs
/// a number or a boolean but the text is neither, the node is a text, which check() refuses. Throws
/// usage_error for invalid UTF-8 or invalid JSON.
[[nodiscard]] node node_of_text(const option& declared, std::span<const std::string> texts,
                                const base::source_position& where);

/// Whether `text` contains JSON that to_toml() (node.hpp) may have written as a text: an object, a
/// list, a quoted text or a whole number beyond 64 bits. If it does, `out` becomes the parsed
/// value.
[[nodiscard]] bool holds_json(const std::string& text, node& out);

}  // namespace inferbench::options

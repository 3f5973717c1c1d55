// What the user wrote on the command line -> a node of the type that the option has: the first of
// three steps, before check.hpp. Files come as nodes from toml.hpp.
#pragma once

#include <span>
#include <string>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::options {

/// What a flag or --set says: `texts` is one text, or the items of a list. A text that is no
/// number, boolean or list stays a text, for check() to refuse. Throws usage_error: bad UTF-8, bad
/// JSON.
[[nodiscard]] node node_of_text(const option& declared, std::span<const std::string> texts,
                                const base::source_position& where);

/// Whether `text` holds JSON that TOML cannot say (node.hpp, to_toml()): an object, a list, a
/// quoted text or a whole number beyond 64 bits. Then it stands in `out`.
[[nodiscard]] bool holds_json(const std::string& text, node& out);

}  // namespace inferbench::options

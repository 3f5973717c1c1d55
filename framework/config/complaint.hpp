// How config says that a value is not what was declared: one wording for flags, files
// and defaults.
#pragma once

#include <string>
#include <string_view>

#include "config/node.hpp"
#include "config/option.hpp"

namespace inferbench::config {

/// "a whole number", "one of linear, exponential": what the option takes.
[[nodiscard]] std::string noun(const option& declared);

/// The value as it was written, shortened to its kind where it is long; nothing of a
/// secret.
[[nodiscard]] std::string shown(const option& declared, const node& given);

[[nodiscard]] std::string in_quotes(std::string_view text);

/// Whether the declaration limits the value.
[[nodiscard]] bool ranged(const option& declared);

/// Throws base::error at `where`. In a file the message begins with the key; a flag is
/// named by its position already.
[[noreturn]] void complain(const option& declared, const base::source_position& where,
                           const std::string& message, const std::string& remedy = {});

/// "expected a whole number from 1 to 65535, not 0".
[[noreturn]] void unexpected(const option& declared, const node& given);

}  // namespace inferbench::config

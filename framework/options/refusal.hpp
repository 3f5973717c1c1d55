// How config says that a value is not what was declared: one wording for flags, files
// and defaults.
#pragma once

#include <string>
#include <string_view>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::options {

/// What cannot be read as it was written: an unknown flag, a missing value, another type, no
/// such choice. Upstream's parser ends with status 2 then, and with 1 for what it refuses
/// later; so do we (cli/commands.hpp). Percentiles, goals and pairs are texts to its parser, so an
/// item of them that cannot be read is one of the latter: complain().
class usage_error : public base::error {
 public:
  using base::error::error;
};

/// "a whole number", "one of linear, exponential": what the option takes.
[[nodiscard]] std::string noun(const option& declared);

/// The value as it was written, shortened to its kind where it is long; nothing of a
/// secret.
[[nodiscard]] std::string shown(const option& declared, const node& given);

[[nodiscard]] std::string in_quotes(std::string_view text);

/// What to do about a value that is not taken: what the declaration says, else what its type,
/// range, shape and default say.
[[nodiscard]] std::string remedy_of(const option& declared);

/// Whether the declaration limits the value.
[[nodiscard]] bool ranged(const option& declared);

/// Throws base::error at `where`. In a file the message begins with the key; a flag is
/// named by its position already.
[[noreturn]] void complain(const option& declared, const base::source_position& where,
                           const std::string& message, const std::string& remedy = {});

/// The same as a usage_error.
[[noreturn]] void misread(const option& declared, const base::source_position& where,
                          const std::string& message, const std::string& remedy = {});

/// "expected a whole number from 1 to 65535, not 0": a value of the type, out of its range.
[[noreturn]] void out_of_range(const option& declared, const node& given);
/// The same for a value of another type: a usage_error.
[[noreturn]] void unexpected(const option& declared, const node& given);

}  // namespace inferbench::options

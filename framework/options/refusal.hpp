// The errors for values that do not fit the declaration of an option: one wording for flags, files
// and defaults.
#pragma once

#include <string>
#include <string_view>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::options {

/// An error in the form of the input: an unknown flag, a missing value, a wrong type, an unknown
/// choice. Upstream exits with status 2 for these errors, and with 1 for errors that it finds after
/// parsing; this program does the same (cli/commands.hpp). Percentiles, goals and pairs are texts
/// for upstream's parser. So an invalid item in them exits with status 1: complain().
class usage_error : public base::error {
 public:
  using base::error::error;
};

/// A description of the values that the option takes: "a whole number", "one of linear,
/// exponential".
[[nodiscard]] std::string noun(const option& declared);

/// The value as the user wrote it; for a list or a table only "a list" or "a table". The value of a
/// secret option is not shown.
[[nodiscard]] std::string shown(const option& declared, const node& given);

[[nodiscard]] std::string in_quotes(std::string_view text);

/// The remedy for a value that is refused: the remedy of the declaration if there is one, otherwise
/// a text that is made from type, range, shape and default.
[[nodiscard]] std::string remedy_of(const option& declared);

/// Whether the declaration has a range.
[[nodiscard]] bool ranged(const option& declared);

/// Throws base::error with the position `where`. For a file the message begins with the key; for a
/// flag `where` already names the flag.
[[noreturn]] void complain(const option& declared, const base::source_position& where,
                           const std::string& message, const std::string& remedy = {});

/// Like complain(), but throws usage_error.
[[noreturn]] void misread(const option& declared, const base::source_position& where,
                          const std::string& message, const std::string& remedy = {});

/// Throws base::error for a value of the right type that is out of range: "expected a whole number
/// from 1 to 65535, not 0".
[[noreturn]] void out_of_range(const option& declared, const node& given);
/// Throws usage_error for a value of the wrong type: "expected a whole number, not a list".
[[noreturn]] void unexpected(const option& declared, const node& given);

}  // namespace inferbench::options

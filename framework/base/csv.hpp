// Fields and lines of CSV as pandas writes them: a field is in double quotes only if it must be
// (RFC 4180), and a line ends with "\n" instead of CR LF. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace inferbench::base {

/// Appends the field to `out`: in double quotes if it contains a comma, a double quote or a line
/// break, with each double quote in it doubled. An empty field is empty.
void put_csv_field(std::string& out, std::string_view text);

/// The fields with commas between them, and "\n".
[[nodiscard]] std::string csv_line(std::span<const std::string> fields);

}  // namespace inferbench::base

// Turns a command line into flags and their texts; check.hpp checks the types of the values.
// Boost.Program_options splits the line. The other rules are upstream's: "_" means "-"; a list flag
// takes all values up to the next flag; if a flag with one value is given twice, the last value
// counts; JSON flags have a dotted form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// The facts about a flag that the parser needs.
struct flag {
  std::string name;  // without dashes
  options::arity takes = options::arity::one;
  bool json = false;         // the value is JSON, and the flag has a dotted form
  bool accumulates = false;  // a list that grows when it is given again
  bool upstream = false;     // vllm bench serve has this flag, too
};

/// The last occurrence of a flag on the line.
struct given_flag {
  std::string name;                     // name as declared, without dashes
  std::vector<std::string> values;      // for a switch: "true" or "false"
  std::optional<options::node> dotted;  // set instead of `values` for dotted flags: the merged
                                        // object
};

struct command_line {
  std::vector<given_flag> flags;  // in the order of the line
  std::vector<std::string> positional;
  // The number of elements of `positional` before the first unknown flag. Later elements may be
  // values of that flag.
  std::size_t certain = SIZE_MAX;
  std::vector<std::string> unknown;   // "--foo", as written
  std::vector<std::string> warnings;  // warnings about flags given twice, and about the meaning of
                                      // prefixes

  [[nodiscard]] const given_flag* find(std::string_view name) const;
};

/// `guess`: a unique prefix of a name is accepted for the name; an exact name takes precedence. A
/// prefix that is unique among upstream's flags means that flag, even if flags that upstream does
/// not have begin with it, too. Unknown flags are collected in `unknown`. Throws usage_error for a
/// missing value, an ambiguous prefix, or the dotted form of a flag whose value is not JSON.
[[nodiscard]] command_line parse_flags(std::span<const std::string> args,
                                       std::span<const flag> table, bool guess);

/// The value of one dotted flag: JSON, otherwise an integer with a suffix, otherwise a text. `key`:
/// "a.b"; with "a.b+" the text is a list that is split at commas. `form`: how the user writes such
/// a value, for the message if a name is missing.
[[nodiscard]] options::node dotted_value(std::string_view key, const std::string& text,
                                         const base::source_position& where,
                                         const char* form = "--FLAG.NAME VALUE");

}  // namespace inferbench::config

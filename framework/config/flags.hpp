// Turns a command line into flags and their texts. It does not check types: check.hpp does.
// Boost.Program_options splits the line. The other rules are upstream's: "_" is "-", a list flag
// takes all values up to the next flag, the last value of a scalar that is given twice counts, JSON
// flags have a dotted form.
#pragma once

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
  bool json = false;         // has a dotted form
  bool accumulates = false;  // a list that grows when it is given again
  bool upstream = false;     // vllm bench serve has this flag, too
};

/// The last occurrence of a flag on the line.
struct given_flag {
  std::string name;                     // as declared
  std::vector<std::string> values;      // for a switch: "true" or "false"
  std::optional<options::node> dotted;  // instead of values: the merged object
};

struct command_line {
  std::vector<given_flag> flags;  // in the order of the line
  std::vector<std::string> positional;
  std::vector<std::string> unknown;   // "--foo", as written
  std::vector<std::string> warnings;  // flags given twice, and the meaning of prefixes

  [[nodiscard]] const given_flag* find(std::string_view name) const;
};

/// `guess`: a unique prefix stands for the whole name; an exact name takes precedence. A prefix
/// that is unique among upstream's flags means that flag, even if flags that upstream does not have
/// begin with it, too. Unknown flags are collected. Throws usage_error: a missing value, an
/// ambiguous prefix, a dotted form of a flag whose value is not JSON.
[[nodiscard]] command_line parse_flags(std::span<const std::string> args,
                                       std::span<const flag> table, bool guess);

/// The value of one dotted flag: JSON, else an integer with a suffix, else a text. `key`: "a.b", or
/// "a.b+" for a list that is split at commas.
[[nodiscard]] options::node dotted_value(std::string_view key, const std::string& text,
                                         const base::source_position& where);

}  // namespace inferbench::config

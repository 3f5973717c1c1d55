// A command line -> which flags it gives, with which texts. Spelling only: types are
// the business of check.hpp. Boost.Program_options splits and completes names; the
// rest are upstream's habits: "_" is "-", list flags take all up to the next flag, of
// a scalar given twice the last counts, JSON flags have a dotted form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options/node.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// What the parser has to know of a flag.
struct flag {
  std::string name;  // without dashes
  options::arity takes = options::arity::one;
  bool json = false;         // has a dotted form
  bool accumulates = false;  // a list that grows when it is given again
  bool upstream = false;     // meant by a beginning that no other upstream flag has
};

/// A flag on the line, its last occurrence.
struct given_flag {
  std::string name;                     // as declared
  std::vector<std::string> values;      // of a switch: "true" or "false"
  std::optional<options::node> dotted;  // instead of values: the merged object
};

struct command_line {
  std::vector<given_flag> flags;  // in the order of the line
  std::vector<std::string> positional;
  std::vector<std::string> unknown;   // "--foo", as written
  std::vector<std::string> warnings;  // what was given twice, and what a prefix is read as

  [[nodiscard]] const given_flag* find(std::string_view name) const;
};

/// Throws base::error for what no table can make right: a missing value, one too many, an
/// ambiguous prefix. `guess`: unique prefixes stand for the whole name; an exact name wins, and
/// flags that upstream does not have make none ambiguous that is not so there.
/// Unknown flags are collected, together with what may be their values.
[[nodiscard]] command_line parse_flags(std::span<const std::string> args,
                                       std::span<const flag> table, bool guess);

/// The value of one part of a dotted flag: JSON, else an integer with a suffix, else a
/// text. `key`: "a.b", or "a.b+" for a list split at commas.
[[nodiscard]] options::node dotted_value(std::string_view key, const std::string& text,
                                         const base::source_position& where);

}  // namespace inferbench::config

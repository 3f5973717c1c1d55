// The resolved configuration as text: TOML that reads back to the same plan, and JSON
// for results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/plan.hpp"
#include "options/option.hpp"

namespace inferbench::config {

struct resolved_key {
  options::option declared;
  options::option_value value;
};

struct resolved_table {
  std::string name;  // "reporter" for one entry of the list of reporters
  std::vector<resolved_key> keys;
};

/// Values that are not set are left out. A secret from the environment is printed as "${NAME}"; any
/// other secret is replaced by a comment. Header values are printed as they were given.
enum class places : std::uint8_t { hidden, shown };
/// `where`: with places::shown the place from which a value came follows the value as a comment:
/// file and line, or the flag. A value without a comment is a default.
[[nodiscard]] std::string to_toml(std::span<const resolved_table> tables,
                                  places where = places::hidden);

/// {"run": {"seed": 0, ...}, ..., "reporter": [{...}]}. Durations are in seconds, sizes in bytes.
/// Secrets, passwords in URLs and the values of headers are replaced by "(cut)".
[[nodiscard]] std::string to_json(std::span<const resolved_table> tables);

/// One value in the form that to_json() above uses.
[[nodiscard]] std::string to_json(const options::option& declared,
                                  const options::option_value& value);

}  // namespace inferbench::config

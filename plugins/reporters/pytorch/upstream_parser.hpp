// The options of upstream's parser: their types, their defaults, and the more general option that
// overrides each of them if it is given.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reporters {

enum class kind : std::uint8_t {
  text,
  integer,
  number,
  boolean,
  json,
  pairs,  // a list of KEY=VALUE
  goals,  // a list of KEY:VALUE
  list    // a list of texts
};

struct upstream_option {
  std::string_view flag;  // the argument's name has underscores instead of dashes
  kind type;
  std::string_view fallback;   // the default as JSON
  std::string_view general{};  // overrides this option if it is given
};

/// Returns the options, sorted by name. --self-timed is not included: it has two flags, and the run
/// determines its value.
[[nodiscard]] std::span<const upstream_option> upstream_options() noexcept;

}  // namespace reporters

// The options of upstream's parser: their types, their defaults, and the option that replaces them
// when it is given.
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
  list    // of texts
};

struct upstream_option {
  std::string_view flag;  // its name has underscores
  kind type;
  std::string_view fallback;   // JSON
  std::string_view general{};  // wins when given
};

/// In the order of their names. Without --self-timed, which has two flags and is decided by the
/// run.
[[nodiscard]] std::span<const upstream_option> upstream_options() noexcept;

}  // namespace reporters

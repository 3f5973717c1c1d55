// --link-vars: combinations run only if two of their parameters are equal. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/node.hpp"
#include "sweep/item.hpp"

namespace inferbench::sweep {

struct link {
  std::string serve_key;
  std::string bench_key;
};

/// "a=b, c=d". Throws base::error with --link-vars as position.
[[nodiscard]] std::vector<link> parse_links(std::string_view text);

/// Whether both items have the keys of each link, in exactly this spelling, with equal values.
[[nodiscard]] bool linked(const std::vector<link>& links, const item& serve, const item& bench);

/// Whether Python's == is true for two values from JSON: 1 equals 1.0 and true, and "1" does not.
/// The order of the members of objects does not matter.
[[nodiscard]] bool equal_values(const options::node& a, const options::node& b);

}  // namespace inferbench::sweep

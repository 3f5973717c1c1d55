#include "itl_limits.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace reporters {

itl_limits limits_of(std::string_view text) {
  const auto refuse = [&]() -> itl_limits {
    throw ifb::failure{IFB_E_CONFIG,
                       "\"" + std::string(text) +
                           "\" is not two numbers of ms, the smaller first, as in \"25,50\"",
                       "itl-thresholds"};
  };
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return refuse();
  itl_limits out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string_view part =
        ifb::trim(i == 0 ? text.substr(0, comma) : text.substr(comma + 1));
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out[i]);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(out[i]))
      return refuse();
  }
  return out[0] <= out[1] ? out : refuse();
}

}  // namespace reporters

// What of a client's health is judged: the table of limits, and the figures that are
// held against it. docs/client-health.md says the same for users.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/health.hpp"

namespace inferbench::metrics {

/// A figure above `suspect` makes a run SUSPECT, above `invalid` INVALID.
struct rule {
  const char* name;
  const char* unit;  // of figure * scale, for people
  double scale;
  double suspect;
  double invalid;  // infinity: never
  const char* remedy;
};

struct signal {
  const rule* limits;
  double figure;        // milliseconds, a share, or a number
  std::string finding;  // "the client's event loop was busy for 3.1 ms at P99"
};

/// Those that there is something to judge by, in the order of the table. Of several
/// workers the worst counts: what it has distorted is in the figures.
[[nodiscard]] std::vector<signal> signals_of(const client_health& of);

/// 0 of nothing.
[[nodiscard]] double share(std::uint64_t part, std::uint64_t whole) noexcept;

/// Three digits, without an exponent: "0.504", "12.3", "1234".
[[nodiscard]] std::string number_text(double value);

}  // namespace inferbench::metrics

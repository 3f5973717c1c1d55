#include "metrics/health.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "metrics/health_signals.hpp"

namespace inferbench::metrics {
namespace {

validity level_of(const rule& limits, double figure) {
  if (figure > limits.invalid) return validity::invalid;
  return figure > limits.suspect ? validity::suspect : validity::valid;
}

/// "0.5 ms", "90 %", "none".
std::string limit_text(const rule& limits, double limit) {
  if (limit == 0) return "none";
  return number_text(limit * limits.scale) + " " + limits.unit;
}

}  // namespace

std::string_view name_of(validity v) noexcept {
  switch (v) {
    case validity::valid: return "VALID";
    case validity::suspect: return "SUSPECT";
    case validity::invalid: return "INVALID";
  }
  return "INVALID";
}

double judged_p99(const base::histogram& of) {
  if (of.count() < 2) return 0;
  const std::uint64_t aside = std::max<std::uint64_t>(of.count() / 100, 1);
  const std::uint64_t rank = of.count() - 1 - aside;
  return of.percentile(100.0 * static_cast<double>(rank) / static_cast<double>(of.count() - 1));
}

verdict judge(const client_health& of) {
  const std::vector<signal> signals = signals_of(of);
  verdict out;
  for (const validity level : {validity::invalid, validity::suspect})
    for (const signal& s : signals) {
      if (level_of(*s.limits, s.figure) != level) continue;
      const double limit = level == validity::invalid ? s.limits->invalid : s.limits->suspect;
      out.level = std::max(out.level, level);
      out.reasons.push_back(fmt::format("{} (limit {}): {}", s.finding,
                                        limit_text(*s.limits, limit), s.limits->remedy));
    }
  return out;
}

}  // namespace inferbench::metrics

#include "metrics/health.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "metrics/health_signals.hpp"

namespace inferbench::metrics {
namespace {

validity level_of(const rule& limits, double figure) {
  if (figure > limits.invalid) return validity::invalid;
  return figure > limits.suspect ? validity::suspect : validity::valid;
}

validity level_of(const printed_bound& one) {
  if (one.of_limit > wrong_from) return validity::invalid;
  return one.of_limit > 1 ? validity::suspect : validity::valid;
}

/// A limit with its unit: "0.5 ms", "90 %", "0".
std::string limit_text(const rule& limits, double limit) {
  if (limit == 0) return "0";
  return number_text(limit * limits.scale) + " " + limits.unit;
}

/// Three digits like number_text(), but never less than `value`. `value` must be above 0.
std::string at_most_text(double value) {
  const double unit = std::pow(10.0, 2 - std::floor(std::log10(value)));
  // 1e-6 is subtracted, so that the rounding error of a double does not cause an extra step up.
  return number_text(std::ceil(value * unit - 1e-6) / unit);
}

/// One sentence for all figures of `level`; it names the worst figure. Empty if no figure has this
/// level. `explained`: a printed cause already names a remedy.
std::string doubt(const std::vector<printed_bound>& figures, validity level, bool explained) {
  const printed_bound* worst = nullptr;
  std::uint64_t others = 0;
  for (const printed_bound& one : figures) {
    if (level_of(one) != level) continue;
    others += worst != nullptr ? 1U : 0U;
    if (worst == nullptr || one.of_limit > worst->of_limit) worst = &one;
  }
  if (worst == nullptr) return {};
  const double times = level == validity::invalid ? wrong_from : 1;
  const auto& [figure, ms] = worst->bound;
  return fmt::format(
      "{} may be off by up to {} ms{} because of the client itself (limit {} % or {} ms, whichever "
      "is larger){}{}",
      worst->name, at_most_text(ms),
      figure > 0 ? fmt::format(", {} % of it,", at_most_text(100 * ms / figure)) : "",
      number_text(100 * tolerated_share * times), number_text(tolerated_ms * times),
      others == 0 ? ""
                  : fmt::format("; {} further figure{} beyond the limit, too", others,
                                others == 1 ? " is" : "s are"),
      explained ? "" : ": use more --workers, or a machine with more free cores");
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
  const std::vector<printed_bound> figures = printed_bounds(of.bounds);
  const std::vector<signal> signals = signals_of(of);
  const std::vector<sign> signs = signs_of(of);
  const bool explained =
      std::ranges::any_of(signs, [](const sign& s) { return s.figure > s.kind->told; });
  verdict out;
  for (const validity level : {validity::invalid, validity::suspect}) {
    if (std::string reason = doubt(figures, level, explained); !reason.empty())
      out.reasons.push_back(std::move(reason));
    for (const signal& s : signals) {
      if (level_of(*s.limits, s.figure) != level) continue;
      const double limit = level == validity::invalid ? s.limits->invalid : s.limits->suspect;
      out.reasons.push_back(fmt::format("{} (limit {}): {}", s.finding,
                                        limit_text(*s.limits, limit), s.limits->remedy));
    }
    if (!out.reasons.empty()) out.level = std::max(out.level, level);
  }
  for (const sign& s : signs)
    if (s.figure > s.kind->told && (s.always || out.level != validity::valid))
      out.causes.push_back(fmt::format("{}: {}", s.finding, s.kind->remedy));
  return out;
}

}  // namespace inferbench::metrics

#include "tune/tune_results.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "sweep/level.hpp"
#include "tune/result_text.hpp"

namespace inferbench::tune {

namespace {

std::optional<double> finite_member(const ifb::json_value& of, std::string_view name) {
  const ifb::json_value* const value = ifb::find(of, name);
  if (value == nullptr || !value->IsNumber() || !std::isfinite(value->GetDouble()))
    return std::nullopt;
  return value->GetDouble();
}

benchmark_end without(const char* figure) {
  return {std::nullopt, std::string("the result of the benchmark has no number ") + figure};
}

/// The journal of the passed run with the largest load up to the limit.
std::string journal_at(const ifb::json_value& search, double limit) {
  const ifb::json_value* const probes = ifb::find(search, "probes");
  std::string out;
  double largest = 0;
  if (probes == nullptr || !probes->IsArray()) return out;
  for (const ifb::json_value& probe : probes->GetArray()) {
    const std::optional<double> load = finite_member(probe, "load");
    if (!load || *load > limit || *load < largest ||
        ifb::text_of(ifb::find(probe, "verdict")) != "passed")
      continue;
    largest = *load;
    out = ifb::text_of(ifb::find(probe, "journal"));
  }
  return out;
}

}  // namespace

benchmark_end benchmark_end_of(const ifb::json_value& result) {
  measured_load out;
  out.nothing_completed = sweep::completed_nothing(result);
  out.failed = sweep::failed_requests(result);
  if (out.nothing_completed) return {out, {}};
  const auto throughput = finite_member(result, "request_throughput");
  if (!throughput) return without("request_throughput");
  const auto e2el = finite_member(result, "p99_e2el_ms");
  if (!e2el) return without("p99_e2el_ms");
  const auto goodput = finite_member(result, "request_goodput");
  if (!goodput) return without("request_goodput");
  out.throughput = *throughput;
  out.e2el_ms = *e2el;
  out.goodput = *goodput;
  return {out, {}};
}

search_verdict search_verdict_of(const ifb::json_value& result) {
  const std::string_view ended = ifb::text_of(ifb::find(result, "ended"));
  if (ended == "interrupted" || ended == "failed")
    return {std::nullopt, "the search ended early: " + std::string(ended)};
  const std::optional<double> limit = finite_member(result, "limit");
  if (limit) {
    std::string journal = journal_at(result, *limit);
    if (journal.empty())
      return {std::nullopt, "the search has no run at its limit " + number_text(*limit)};
    return {found_limit{*limit, std::move(journal)}, {}};
  }
  if (ended == "nothing_passed") return {};
  return {std::nullopt,
          "the search has no verdict on its lowest rate; give it more time by --find-options"};
}

}  // namespace inferbench::tune

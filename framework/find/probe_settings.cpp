#include "find/probe_settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "limit/budget.hpp"

namespace inferbench::find {

namespace {

/// The requests that a run sends in the time before which it cannot pass.
std::size_t requests_of_min_time(const config::find_request& asked, double load) {
  const double seconds = static_cast<double>(asked.min_time_ns) / 1e9;
  return static_cast<std::size_t>(std::ceil(std::min(load * seconds, 1e15)));
}

/// Throws base::error if a run at the largest load could never pass.
void require_enough_requests(const config::find_request& asked,
                             const limit::judge_settings& at_most) {
  if (asked.over == "request_rate" && asked.min_time_ns > asked.max_time_ns)
    throw base::error("--min-time is longer than --max-time, so no run could pass",
                      "give a longer --max-time, or a shorter --min-time");
  if (at_most.least_requests <= at_most.most_requests) return;
  const bool rate = asked.over == "request_rate";
  throw base::error(
      fmt::format("a run at the load {:.10g} needs {} requests, {}, and --max-requests allows {}",
                  asked.high, at_most.least_requests,
                  rate ? "those of --min-time" : "four for each request in flight",
                  at_most.most_requests),
      fmt::format("give --max-requests {}{}", 2 * at_most.least_requests,
                  rate ? ", or a shorter --min-time" : ""));
}

/// Throws base::error if no run could pass, because --max-requests is too small for the evidence.
void require_enough_for_proof(const std::vector<limit::part>& parts,
                              limit::judge_settings settings) {
  const std::size_t given = settings.most_requests;
  const double assumed = settings.assumed_correlation;
  // The least that any run needs: with an assumed correlation a run with some requests over a limit
  // may pass after fewer requests than a run with none.
  settings.assumed_correlation = 0;
  if (limit::good_requests_to_pass(parts, settings)) return;
  settings.most_requests = 1'000'000;
  const std::optional<std::size_t> least = limit::good_requests_to_pass(parts, settings);
  if (!least)
    throw base::error(
        fmt::format("no run could pass: the goals allow so few requests over their limits that {} "
                    "independent requests prove nothing",
                    settings.most_counted),
        "choose goals on lower percentiles or larger shares");
  settings.assumed_correlation = assumed;
  const std::size_t enough = limit::good_requests_to_pass(parts, settings).value_or(*least);
  throw base::error(
      fmt::format("a run needs at least {} requests to pass, even if none of them is over a limit, "
                  "and --max-requests allows {}",
                  *least, given),
      fmt::format("give --max-requests {}", 2 * enough));
}

}  // namespace

limit::judge_settings judge_settings_of(const config::find_request& asked, double load,
                                        double least_step) {
  limit::judge_settings out;
  out.alpha = asked.alpha;
  out.probes = static_cast<std::size_t>(asked.max_probes);
  out.least_step = least_step;
  out.assumed_correlation = asked.assumed_correlation;
  out.most_requests = static_cast<std::size_t>(asked.max_requests);
  if (asked.over == "request_rate") {
    // Above its capacity a server has a queue that grows, so the first requests are good ones.
    out.least_requests = requests_of_min_time(asked, load);
  } else {
    // The first requests start together into an empty server: each of them waits for the requests
    // before it only. All requests in flight must have been replaced some times.
    const auto users = static_cast<std::size_t>(load);
    out.least_warm_up = std::max(out.least_warm_up, 2 * users);
    out.least_requests = 4 * users;
    out.planned = std::max(out.planned, out.least_warm_up + 4 * users);
  }
  out.planned = std::min(out.planned, out.most_requests);
  return out;
}

void require_possible(const config::find_request& asked, const std::vector<limit::part>& parts) {
  const limit::judge_settings at_most = judge_settings_of(asked, asked.high, 1);
  require_enough_requests(asked, at_most);
  (void)limit::judge(parts, at_most);
  require_enough_for_proof(parts, judge_settings_of(asked, asked.low, 1));
}

}  // namespace inferbench::find

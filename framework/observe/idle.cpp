#include "observe/idle.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <string>

#include "observe/prometheus_text.hpp"
#include "observe/ready_names.hpp"

namespace inferbench::observe {

namespace {

constexpr std::uint64_t reading_patience_ns = 5 * base::ns_per_s;

/// The value of a ready name that is a gauge, from the sums of the page.
std::optional<double> gauge(std::string_view name,
                            const std::map<std::string, double, std::less<>>& sums) {
  for (const ready_name& row : ready_names()) {
    if (row.name != name || row.counter) continue;
    const auto found = sums.find(row.metric);
    if (found == sums.end()) continue;
    if (row.plus.empty()) return found->second;
    const auto more = sums.find(row.plus);
    if (more != sums.end()) return found->second + more->second;
  }
  return std::nullopt;
}

/// nullopt: one of the servers does not tell its occupancy.
std::optional<occupancy> ask_occupancy(const services::target& servers) {
  occupancy sum;
  for (std::size_t i = 0; i < servers.endpoints().size(); ++i) {
    const auto answer = servers.fetch("GET", "/metrics", {}, reading_patience_ns, i);
    if (!answer.ok() || answer.status != 200) return std::nullopt;
    const std::optional<occupancy> one = read_occupancy(answer.body);
    if (!one) return std::nullopt;
    sum.running += one->running;
    sum.waiting += one->waiting;
  }
  return sum;
}

}  // namespace

std::optional<occupancy> read_occupancy(std::string_view page) {
  std::map<std::string, double, std::less<>> sums;
  read_metrics(page, [&](const metric_sample& one) {
    if (!std::isfinite(one.value)) return;
    for (const ready_name& row : ready_names()) {
      if (one.name != row.metric && one.name != row.plus) continue;
      bool counts = row.label_name.empty();
      for (const metric_label& label : one.labels)
        counts |= label.name == row.label_name && label.value == row.label_value;
      if (!counts) continue;
      sums[std::string(one.name)] += one.value;
      return;
    }
  });
  const std::optional<double> running = gauge("running", sums);
  if (!running) return std::nullopt;
  return occupancy{*running, gauge("waiting", sums).value_or(0)};
}

idleness wait_until_idle(const services::target& servers, const base::clock& clock,
                         const idle_wait& with) {
  const std::uint64_t began = clock.now();
  while (true) {
    const std::optional<occupancy> now = ask_occupancy(servers);
    if (!now) return with.pause(with.settle_ns) ? idleness::stopped : idleness::settled;
    if (now->running <= 0 && now->waiting <= 0) return idleness::told;
    if (clock.now() - began >= with.patience_ns) return idleness::busy;
    if (with.pause(with.interval_ns)) return idleness::stopped;
  }
}

}  // namespace inferbench::observe

#include "observe/idle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "observe/prometheus_text.hpp"
#include "observe/ready_names.hpp"

namespace inferbench::observe {

namespace {

constexpr std::uint64_t reading_patience_ns = 5 * base::ns_per_s;
constexpr std::uint64_t settling_times = 5;  // a silent server is asked again so long

/// The sum of the first row with this name that has one. `sums`: by row of ready_names().
std::optional<double> gauge(std::string_view name,
                            const std::map<const ready_name*, double>& sums) {
  for (const ready_name& row : ready_names())
    if (row.name == name)
      if (const auto found = sums.find(&row); found != sums.end()) return found->second;
  return std::nullopt;
}

enum class work : std::uint8_t { none, some, unknown };

/// The work that each server tells of. A server that has told it before and does not answer now is
/// busy: its page is slow because of its load.
class told_work {
 public:
  explicit told_work(const services::target& servers)
      : servers_(servers), told_(servers.endpoints().size()) {}

  [[nodiscard]] work ask() {
    work out = work::none;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const work one = ask(i);
      if (one == work::some) return one;
      if (one == work::unknown) out = one;
    }
    return out;
  }

 private:
  work ask(std::size_t server) {
    const auto answer = servers_.fetch("GET", "/metrics", {}, reading_patience_ns, server);
    std::optional<occupancy> found;
    if (answer.ok() && answer.status == 200) found = read_occupancy(answer.body);
    if (!found) return told_[server] ? work::some : work::unknown;
    told_[server] = true;
    return found->running > 0 || found->waiting > 0 ? work::some : work::none;
  }

  const services::target& servers_;
  std::vector<bool> told_;
};

reply reply_of(const services::target& servers, std::size_t server) {
  const auto answer = servers.fetch("GET", "/metrics", {}, reading_patience_ns, server);
  if (!answer.ok()) return reply::none;
  constexpr std::array gateways{502, 503, 504};
  return std::ranges::find(gateways, answer.status) == gateways.end() ? reply::own : reply::gateway;
}

}  // namespace

std::optional<occupancy> read_occupancy(std::string_view page) {
  // By row and not by metric: one metric of Triton has the running and the waiting requests.
  std::map<const ready_name*, double> sums;
  read_metrics(page, [&](const metric_sample& one) {
    if (!std::isfinite(one.value)) return;
    for (const ready_name& row : ready_names()) {
      if (one.name != row.metric) continue;
      bool counts = row.label_name.empty();
      for (const metric_label& label : one.labels)
        counts |= label.name == row.label_name && label.value == row.label_value;
      if (counts) sums[&row] += one.value;
    }
  });
  const std::optional<double> running = gauge("running", sums);
  if (!running) return std::nullopt;
  return occupancy{*running, gauge("waiting", sums).value_or(0)};
}

idleness wait_until_idle(const services::target& servers, const base::clock& clock,
                         const idle_wait& with) {
  const std::uint64_t began = clock.now();
  told_work told(servers);
  while (true) {
    const work now = told.ask();
    if (now == work::unknown)
      return with.pause(with.settle_ns) ? idleness::stopped : idleness::settled;
    if (now == work::none) return idleness::told;
    if (clock.now() - began >= with.patience_ns) return idleness::busy;
    if (with.pause(with.interval_ns)) return idleness::stopped;
  }
}

reply worst_reply(const services::target& servers) {
  reply out = reply::own;
  for (std::size_t i = 0; i < servers.endpoints().size(); ++i)
    out = std::min(out, reply_of(servers, i));
  return out;
}

bool all_answer(const services::target& servers, const base::clock& clock, const idle_wait& with,
                reply expected) {
  const std::uint64_t began = clock.now();
  while (worst_reply(servers) < std::max(expected, reply::gateway))
    if (clock.now() - began >= settling_times * with.settle_ns || with.pause(with.interval_ns))
      return false;
  return true;
}

}  // namespace inferbench::observe

#include "metrics/health_signals.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace inferbench::metrics {
namespace {

using client::worker_health;

constexpr double never = std::numeric_limits<double>::infinity();
constexpr const char* more_files =
    "raise the limit of open files (ulimit -n), use more --workers, or lower --max-concurrency";
constexpr const char* nearer =
    "the network lost them, not the server; measure nearer to the server";
constexpr const char* look_at_server =
    "look at the logs of the server and of the proxies before it; --strict-answers counts such "
    "answers as failed";
constexpr const char* more_room =
    "raise net.ipv4.tcp_rmem and tcp_wmem of this machine; with so little room stamps may be late "
    "by any amount";
constexpr const char* faster_samples =
    "the dataset or tokenizer is too slow: use a faster one, or a lower --request-rate";

// Latencies of servers are 10 ms and more. An error of 0.5 ms is tolerable; an error of 5 ms is as
// large as the time of one token.
constexpr rule loop_lag_rule{"loop_lag_p99_ms", "ms", 1, 0.5, 5, more_workers};
// Judged only if there are no kernel stamps, which would show its effect on the figures.
constexpr rule standstill_rule{"longest_standstill_ms", "ms", 1, 0, 50, free_cores};
// A request that was not sent is missing from the load of the server.
constexpr rule local_failures{"local_failures", "", 1, 0, 0, more_files};
// A lost segment costs 200 ms and more. The cause is the network path, not the client.
constexpr rule retransmits{"retransmits", "%", 100, 0.001, never, nearer};
// With small buffers one side waits until the other side reads, and no stamp shows this wait.
constexpr rule small_buffers{"small_buffers", "", 1, 0, never, more_room};
// Without its sample a request cannot be sent on time. One late request in a thousand does not
// change a P99.
constexpr rule starved{"starved", "%", 100, 0.001, 0.01, faster_samples};
// Usually an answer stops without an end mark because the server died and a proxy closed the
// stream. The answer counts as successful, like in upstream, but its end time is not a time of the
// server.
constexpr rule unmarked{"answers_without_end_mark", "%", 100, 0, never, look_at_server};
constexpr rule cut_short{"answers_shorter_than_promised", "%", 100, 0, never, look_at_server};

/// The share of `part` in `whole`. 0 if `part` is a single request, which proves nothing.
double rate_of(std::uint64_t part, std::uint64_t whole) {
  return part < 2 ? 0 : share(part, whole);
}

}  // namespace

std::vector<signal> signals_of(const client_health& of) {
  std::vector<signal> out;
  const auto add = [&](const rule& limits, double figure, std::string finding) {
    out.push_back({&limits, figure, std::move(finding)});
  };
  if (answers_without_bound(of.bounds) != 0) {
    if (const auto found =
            worst_of(of.workers, [](const worker_health& w) { return p99_ms(w.loop_lag); }))
      add(loop_lag_rule, found->figure,
          fmt::format("{}'s event loop was busy for {} ms at P99", worker_text(of, found->worker),
                      number_text(found->figure)));
    if (const auto found = worst_of(of.workers, longest_standstill_ms))
      add(standstill_rule, found->figure, standstill_text(of, *found));
  }
  add(local_failures, static_cast<double>(of.local_failures),
      counted(of.local_failures, "connection") +
          " could not be made for want of ports or descriptors of this machine");

  if (of.answers != 0) {
    add(unmarked, share(of.unmarked, of.answers),
        fmt::format("{} of {} answers stopped without [DONE] and without a finish reason",
                    of.unmarked, of.answers));
    add(cut_short, share(of.cut_short, of.answers),
        fmt::format("{} of {} answers are shorter than the length asked for, although the "
                    "server was told to ignore the end of sequence",
                    of.cut_short, of.answers));
  }

  std::uint64_t requests = 0, hungry = 0;
  client::server_use use;
  for (const worker_health& w : of.workers) {
    requests += w.launch_lag.count();
    hungry += w.starved;
    for (const client::server_use& each : w.servers)
      use.add(each);
  }
  add(retransmits, rate_of(use.retransmits, use.requests),
      fmt::format("{} segments were sent again for {} requests", use.retransmits, use.requests));
  add(small_buffers, static_cast<double>(use.small_buffers),
      fmt::format("{} of {} connections got less than 32 KiB to receive or 8 KiB to send, so that "
                  "answers and requests wait for room in this machine",
                  use.small_buffers, use.connects));
  add(starved, rate_of(hungry, requests),
      fmt::format("{} of {} requests were due before their sample was ready", hungry, requests));
  return out;
}

std::uint64_t answers_without_bound(std::span<const error_bound> of) noexcept {
  std::uint64_t most = 0;
  for (const error_bound& each : of)
    most = std::max(most, each.unknown);
  return most;
}

std::string worker_text(const client_health& of, std::size_t worker) {
  return of.workers.size() > 1 ? fmt::format("worker {}", worker + 1) : std::string("the client");
}

double longest_standstill_ms(const worker_health& w) noexcept {
  return w.standstills == 0 ? 0.0 : static_cast<double>(w.longest_standstill_ns) / 1e6;
}

std::string standstill_text(const client_health& of, const worst& found) {
  return fmt::format(
      "{} did not look at its sockets for more than 10 ms {}, the longest for {} ms, as if it was "
      "stopped or had no core",
      worker_text(of, found.worker), counted(of.workers[found.worker].standstills, "time"),
      number_text(found.figure));
}

double p99_ms(const base::histogram& of) { return judged_p99(of) / 1e6; }

std::string number_text(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

double share(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace inferbench::metrics

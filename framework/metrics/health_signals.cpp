#include "metrics/health_signals.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace inferbench::metrics {
namespace {

using client::worker_health;

constexpr double never = std::numeric_limits<double>::infinity();
constexpr const char* more_workers = "use more --workers, or a machine with more free cores";
constexpr const char* free_cores = "keep other programs off this machine, or use fewer --workers";
constexpr const char* more_quota = "raise the CPU quota of this container or service";
constexpr const char* more_files =
    "raise the limit of open files (ulimit -n), use more --workers, or lower --max-concurrency";
constexpr const char* nearer =
    "the network lost them, not the server; measure nearer to the server";
constexpr const char* faster_samples =
    "the dataset or tokenizer is too slow: use a faster one, or a lower --request-rate";

// Half a millisecond is what a client may add unseen to times of 10 ms and more, which
// servers have; 5 ms are an error of the size of a token's time.
constexpr rule loop_lag{"loop_lag_p99_ms", "ms", 1, 0.5, 5, more_workers};
constexpr rule launch_lag{"launch_lag_p99_ms", "ms", 1, 0.5, 5, more_workers};
constexpr rule kernel_lag{"kernel_to_client_p99_ms", "ms", 1, 0.5, 5, more_workers};
// What arrives at a thread that is busy for nine tenths of a second queues, and a P99 over
// the whole run may not show it; at 98 % it does not catch up.
constexpr rule busiest_second{"cpu_busiest_second", "%", 100, 0.9, 0.98, more_workers};
constexpr rule cpu{"cpu", "%", 100, 0.9, 0.98, more_workers};
// A thread that waits for a core is blind, and no clock of its own shows it: one percent of
// the time is one percent of the events, which a P99 sees.
// A few turns of the scheduler are a large share of a run of some milliseconds.
constexpr std::uint64_t least_run_delay_ns = 10'000'000;
constexpr rule run_delay{"run_delay", "%", 100, 0.01, 0.1, free_cores};
// Throttled threads stand still together, for up to a tenth of a second each time.
constexpr rule throttled{"cgroup_throttled", "%", 100, 0, 0.01, more_quota};
// Load that was not sent is load that the server did not have.
constexpr rule local_failures{"local_failures", "", 1, 0, 0, more_files};
// A lost segment costs 200 ms and more. It is a fact about the path, not about the client.
constexpr rule retransmits{"retransmits", "%", 100, 0.001, never, nearer};
// Without its sample a request cannot be sent on time; one in a thousand is in no P99.
constexpr rule starved{"starved", "%", 100, 0.001, 0.01, faster_samples};

/// Of `part` in `whole` requests; one alone proves nothing.
double rate_of(std::uint64_t part, std::uint64_t whole) {
  return part < 2 ? 0 : share(part, whole);
}

/// "1 request", "2 requests"
std::string counted(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string percent(double part) { return number_text(part * 100) + " %"; }

struct worst {
  std::size_t worker = 0;
  double figure = 0;
};

/// The largest `figure(item)`; none of an empty list.
template <typename list, typename function>
std::optional<worst> worst_of(const list& items, function&& figure) {
  std::optional<worst> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const double f = figure(items[i]); !out || f > out->figure) out = {i, f};
  return out;
}

class inquiry {
 public:
  explicit inquiry(const client_health& of) : of_(of) {}

  std::vector<signal> take() { return std::move(out_); }

  /// `sentence` has places for who and what.
  template <typename list, typename function, typename text>
  void worker(const rule& limits, const list& items, function&& figure, text&& sentence) {
    const auto found = worst_of(items, figure);
    if (!found) return;
    const std::string who = of_.workers.size() > 1 ? fmt::format("worker {}", found->worker + 1)
                                                   : std::string("the client");
    out_.push_back({&limits, found->figure, sentence(who, found->figure)});
  }
  void whole(const rule& limits, double figure, std::string finding) {
    out_.push_back({&limits, figure, std::move(finding)});
  }

 private:
  const client_health& of_;
  std::vector<signal> out_;
};

double p99_ms(const base::histogram& of) { return judged_p99(of) / 1e6; }

void ask_workers(inquiry& out, const client_health& of) {
  using who = const std::string&;
  out.worker(
      loop_lag, of.workers, [](const worker_health& w) { return p99_ms(w.loop_lag); },
      [](who w, double f) {
        return fmt::format("{}'s event loop was busy for {} ms at P99", w, number_text(f));
      });
  out.worker(
      launch_lag, of.workers, [](const worker_health& w) { return p99_ms(w.launch_lag); },
      [](who w, double f) {
        return fmt::format("{} sent requests {} ms late at P99", w, number_text(f));
      });
  if (std::ranges::any_of(of.workers, [](const auto& w) { return !w.kernel_to_client.empty(); }))
    out.worker(
        kernel_lag, of.workers, [](const worker_health& w) { return p99_ms(w.kernel_to_client); },
        [](who w, double f) {
          return fmt::format("{} read what the kernel had {} ms late at P99", w, number_text(f));
        });
  out.worker(
      busiest_second, of.loads, [](const worker_load& w) { return w.busiest_second; },
      [](who w, double f) {
        return fmt::format("{} used {} of a core in its busiest second", w, percent(f));
      });
  out.worker(
      cpu, of.workers, [](const worker_health& w) { return share(w.cpu_ns, w.wall_ns); },
      [](who w, double f) {
        return fmt::format("{} used {} of a core during the whole run", w, percent(f));
      });
  out.worker(
      run_delay, of.workers,
      [](const worker_health& w) {
        return w.run_delay_ns < least_run_delay_ns ? 0.0 : share(w.run_delay_ns, w.wall_ns);
      },
      [](who w, double f) {
        return fmt::format("{} waited for a core for {} of the run", w, percent(f));
      });
}

void ask_the_rest(inquiry& out, const client_health& of) {
  if (of.cgroup) {
    // Periods without a measured time are throttling all the same.
    const double figure =
        std::max(share(of.cgroup->ns, of.wall_ns), of.cgroup->periods > 0 ? 1e-9 : 0.0);
    out.whole(throttled, figure,
              fmt::format("the system kept this program from running in {}, for {} ms",
                          counted(of.cgroup->periods, "period"),
                          number_text(static_cast<double>(of.cgroup->ns) / 1e6)));
  }
  out.whole(local_failures, static_cast<double>(of.local_failures),
            counted(of.local_failures, "connection") +
                " could not be made for want of ports or descriptors of this machine");

  std::uint64_t requests = 0, hungry = 0;
  client::server_use use;
  for (const worker_health& w : of.workers) {
    requests += w.launch_lag.count();
    hungry += w.starved;
    for (const client::server_use& each : w.servers)
      use.add(each);
  }
  out.whole(
      retransmits, rate_of(use.retransmits, use.requests),
      fmt::format("{} segments were sent again for {} requests", use.retransmits, use.requests));
  out.whole(
      starved, rate_of(hungry, requests),
      fmt::format("{} of {} requests were due before their sample was ready", hungry, requests));
}

}  // namespace

std::string number_text(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

double share(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<signal> signals_of(const client_health& of) {
  inquiry out(of);
  ask_workers(out, of);
  ask_the_rest(out, of);
  return out.take();
}

}  // namespace inferbench::metrics

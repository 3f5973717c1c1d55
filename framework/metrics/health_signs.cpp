#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "metrics/health_signals.hpp"

namespace inferbench::metrics {
namespace {

using client::worker_health;

constexpr const char* more_quota = "raise the CPU quota of this container or service";

constexpr hint standstill_hint{"longest_standstill_ms", 0, free_cores};
// Throttled threads stand still all at the same time, for up to 0.1 s each time.
constexpr hint throttled{"cgroup_throttled", 0, more_quota};
// A thread cannot measure with its own clock how long it is ready and waits for a core. A hundredth
// of the time may be a thousand waits of a few us, which do not change any figure.
constexpr hint run_delay{"run_delay", 0.01, free_cores};
constexpr hint longest_wait{"longest_wait_in_a_second", 0.5, free_cores};
// Answers wait in a queue if their thread is busy for nine tenths of a second.
constexpr hint busiest_second{"cpu_busiest_second", 0.9, more_workers};
constexpr hint cpu{"cpu", 0.9, more_workers};
constexpr hint kernel_lag{"kernel_to_client_p99_ms", 0.5, more_workers};
constexpr hint loop_lag_hint{"loop_lag_p99_ms", 0.5, more_workers};

// Shorter waits are a few turns of the scheduler. They are a large share of a run only if the run
// takes a few milliseconds.
constexpr std::uint64_t least_run_delay_ns = 10'000'000;
// A shorter run is a burst, in which a thread never has to wait.
constexpr std::uint64_t least_busy_ns = base::ns_per_s;

class search {
 public:
  explicit search(const client_health& of) : of_(of) {}

  std::vector<sign> take() { return std::move(out_); }

  /// Adds the worker with the largest figure. `text(who, worst)` returns the sentence. Adds nothing
  /// if the list is empty.
  template <typename list, typename function, typename sentence>
  void worker(const hint& kind, bool always, const list& items, function&& figure,
              sentence&& text) {
    const auto found = worst_of(items, figure);
    if (!found) return;
    out_.push_back({&kind, found->figure, text(worker_text(of_, found->worker), *found), always});
  }
  void whole(const hint& kind, double figure, std::string finding) {
    out_.push_back({&kind, figure, std::move(finding), true});
  }

 private:
  const client_health& of_;
  std::vector<sign> out_;
};

std::string percent(double part) { return number_text(part * 100) + " %"; }

using who = const std::string&;

void look_for_waits(search& out, const client_health& of) {
  if (answers_without_bound(of.bounds) == 0)
    out.worker(standstill_hint, true, of.workers, longest_standstill_ms,
               [&](who, const worst& f) { return standstill_text(of, f); });
  if (of.cgroup) {
    // Throttled periods count as throttling even if their measured time is 0.
    const double figure =
        std::max(share(of.cgroup->ns, of.wall_ns), of.cgroup->periods > 0 ? 1e-9 : 0.0);
    out.whole(throttled, figure,
              fmt::format("the system kept this program from running in {} of the CPU quota, "
                          "for {} ms",
                          counted(of.cgroup->periods, "period"),
                          number_text(static_cast<double>(of.cgroup->ns) / 1e6)));
  }
  out.worker(
      run_delay, false, of.workers,
      [](const worker_health& w) {
        return w.run_delay_ns < least_run_delay_ns ? 0.0 : share(w.run_delay_ns, w.wall_ns);
      },
      [](who w, const worst& f) {
        return fmt::format("{} waited for a core for {} of the run", w, percent(f.figure));
      });
  out.worker(
      longest_wait, true, of.loads, [](const worker_load& w) { return w.longest_wait; },
      [](who w, const worst& f) {
        return fmt::format("{} waited for a core for {} of its worst second", w, percent(f.figure));
      });
}

void look_for_work(search& out, const client_health& of) {
  out.worker(
      busiest_second, true, of.loads, [](const worker_load& w) { return w.busiest_second; },
      [](who w, const worst& f) {
        return fmt::format("{} used {} of a core in its busiest second", w, percent(f.figure));
      });
  out.worker(
      cpu, of.wall_ns >= least_busy_ns, of.workers,
      [](const worker_health& w) { return share(w.cpu_ns, w.wall_ns); },
      [](who w, const worst& f) {
        return fmt::format("{} used {} of a core during the whole run", w, percent(f.figure));
      });
  if (std::ranges::any_of(of.workers, [](const auto& w) { return !w.kernel_to_client.empty(); }))
    out.worker(
        kernel_lag, false, of.workers,
        [](const worker_health& w) { return p99_ms(w.kernel_to_client); },
        [](who w, const worst& f) {
          return fmt::format("{} read what the kernel had {} ms late at P99", w,
                             number_text(f.figure));
        });
  if (answers_without_bound(of.bounds) == 0)
    out.worker(
        loop_lag_hint, false, of.workers, [](const worker_health& w) { return p99_ms(w.loop_lag); },
        [](who w, const worst& f) {
          return fmt::format("{}'s event loop was busy for {} ms at P99", w, number_text(f.figure));
        });
}

}  // namespace

std::vector<sign> signs_of(const client_health& of) {
  search out(of);
  look_for_waits(out, of);
  look_for_work(out, of);
  return out.take();
}

}  // namespace inferbench::metrics

#include "run/traffic_course.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "run/collector.hpp"
#include "run/traffic.hpp"
#include "run/traffic_end.hpp"

namespace inferbench::run {

namespace {

/// Stops the requests at the end of a scope, even after an exception. The collector's destructor
/// waits for its thread, and this thread ends when the requests have stopped.
class stop_guard {
 public:
  explicit stop_guard(traffic& requests) : requests_(requests) {}
  stop_guard(const stop_guard&) = delete;
  stop_guard& operator=(const stop_guard&) = delete;
  ~stop_guard() { requests_.stop(); }

 private:
  traffic& requests_;
};

/// The size of the traffic: a number of requests, a time, or both.
struct extent {
  std::uint64_t requests;     // feed::no_end: not limited
  std::uint64_t duration_ns;  // 0: not limited
};

/// The end of the traffic, if its requests did not end it.
struct early_end {
  bool by_user = false;
  bool by_judge = false;
};

/// Waits for the workers and draws the progress.
early_end watch(prepared& with, traffic& requests, progress_views& views, observe::vitals& system,
                interrupt& signals, std::uint64_t started_ns, traffic_judge* judge) {
  const extent size{with.samples->requests(), with.plan.load.duration_ns};
  early_end out;
  while (!requests.over()) {
    const std::uint64_t now = with.clock.now();
    const bool time_is_over =
        size.duration_ns != 0 && now > started_ns && now - started_ns >= size.duration_ns;
    const bool last = time_is_over || requests.counts().finished >= size.requests;
    if (signals.wait(std::chrono::milliseconds(last ? 1 : 50)) &&
        !std::exchange(out.by_user, true)) {
      with.host.cancel();  // an engine that is working on a request may query this
      requests.stop();
    }
    if (judge != nullptr && !out.by_judge && now > started_ns &&
        judge->has_enough(now - started_ns)) {
      out.by_judge = true;
      requests.stop();
    }
    system.sample(with.clock.now());
    const traffic_counts counts = requests.counts();
    const std::uint64_t at = std::max(with.clock.now(), started_ns);
    views.draw({{size.requests, counts.finished, counts.failed, counts.started - counts.finished,
                 at - started_ns, size.duration_ns},
                system.busiest()});
  }
  requests.join();
  return out;
}

}  // namespace

traffic_outcome run_traffic(prepared& with, load_generator& load, results& kept,
                            progress_views& views, observers& watchers, interrupt& signals,
                            std::uint64_t started_ns, traffic_judge* judge, scoring* scores) {
  collector behind(load.finished(), kept, with.clock, scores);
  const stop_guard ends(load.requests());
  const beside_log_lines around(with.log, views.bar());
  watchers.start(load.requests().threads(), started_ns);
  load.begin(started_ns);
  traffic_outcome out;
  const early_end early =
      watch(with, load.requests(), views, watchers.system(), signals, started_ns, judge);
  out.stopped = early.by_user;
  views.bar().end();
  watchers.finish_readings(out.stopped);
  if (!out.stopped) tell_of_early_end(with, load.requests().counts().started, started_ns);
  // A judge does not need the requests that were not sent.
  out.planned =
      early.by_judge ? load.requests().counts().started : planned_until_now(with, load, started_ns);
  with.samples->stop();
  behind.join();
  return out;
}

}  // namespace inferbench::run

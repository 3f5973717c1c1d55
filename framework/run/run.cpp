#include "run/run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/limits.hpp"
#include "report/fanout.hpp"
#include "run/comparison.hpp"
#include "run/covered_terminal.hpp"
#include "run/dry_run.hpp"
#include "run/interrupt.hpp"
#include "run/load_sweep.hpp"
#include "run/measurement.hpp"
#include "run/output_places.hpp"
#include "run/prepared.hpp"
#include "run/rehearsal.hpp"
#include "run/reporting.hpp"

namespace inferbench::run {

namespace {

/// Adds the outcome of one run to the outcome of the series. For each member, the worst run counts.
void merge(outcome& all, outcome&& one) {
  all.interrupted |= one.interrupted;
  all.reporters_failed |= one.reporters_failed;
  all.data_failed |= one.data_failed;
  all.thresholds_failed |= one.thresholds_failed;
  if (one.client.level > all.client.level) all.client = std::move(one.client);
}

/// The parts that all runs of the command share.
struct shared_parts {
  const base::clock& clock;
  base::log& log;
  base::output& to;
  interrupt& signals;
  covered_terminal& terminal;
  std::size_t descriptors;
  const std::string& calibration_json;
};

/// A benchmark that is prepared, with its reporters.
class ready_benchmark {
 public:
  /// `first`: the first run of this benchmark. Performs ready check and warm-up, and starts the
  /// profilers. Throws base::error.
  ready_benchmark(config::plan plan, const place_in_series& first, const shared_parts& with)
      : with_(with), ready_(std::move(plan), with.clock, with.log, with.to) {
    // Create the reporters first: errors in their options should be reported before ready check and
    // warm-up.
    make_reporters(first);
    with.signals.hold();
    ready_.rehearse(with.signals);
    profiled_.emplace(ready_.plan.preparation, ready_.host.server(), with.signals, with.log,
                      ready_.host.out());
  }

  [[nodiscard]] measurement run(const place_in_series& which) {
    if (!reporters_) make_reporters(which);
    return measure(ready_, *reporters_, which, with_.signals, with_.terminal, with_.descriptors,
                   with_.calibration_json);
  }
  /// Ends the reporters and the screen of the latest run.
  void end_run() {
    reporters_.reset();
    with_.terminal.release();
  }
  [[nodiscard]] services::console& out() { return ready_.host.out(); }

 private:
  void make_reporters(const place_in_series& which) {
    reporters_ = std::make_unique<reporting>(ready_.plan.reporters, ready_.host.services(), which);
  }

  const shared_parts& with_;
  prepared ready_;
  std::unique_ptr<reporting> reporters_;
  std::optional<profiling> profiled_;
};

/// The runs of --num-runs.
outcome run_series(config::plan plan, std::int64_t runs, const shared_parts& with) {
  ready_benchmark benchmark(std::move(plan), {1, runs}, with);
  outcome result;
  comparison series;
  for (std::int64_t number = 1; number <= runs && !result.interrupted; ++number) {
    try {
      measurement one = benchmark.run({number, runs});
      if (!one.ended.interrupted) series.add(one.figures);
      merge(result, std::move(one.ended));
    } catch (const base::error& e) {
      // The results of earlier runs stay valid.
      if (number == 1) throw;
      with.log.error(e.what());
      result.interrupted = true;
    }
    benchmark.end_run();
  }
  benchmark.out().print(series.table());
  return result;
}

/// The runs of --sweep-max-concurrency or --sweep-request-rate. Each run is prepared by itself,
/// because the number of requests and the schedule depend on the load.
outcome run_points(const config::plan& plan, const shared_parts& with) {
  const auto runs = static_cast<std::int64_t>(plan.points.size());
  services::console out(with.to);
  outcome result;
  load_sweep summary(plan.summary_percentiles);
  for (std::int64_t number = 1; number <= runs && !result.interrupted; ++number) {
    const place_in_series which{number, runs};
    const config::load_point& point = plan.points[static_cast<std::size_t>(number - 1)];
    try {
      out.line(point_title(static_cast<std::size_t>(number), plan.points.size(), point));
      ready_benchmark benchmark(at_point(plan, point), which, with);
      measurement one = benchmark.run(which);
      if (!one.ended.interrupted) summary.add(point.label, one.figures);
      merge(result, std::move(one.ended));
      benchmark.end_run();
    } catch (const base::error& e) {
      // The results of earlier runs stay valid.
      if (number == 1) throw;
      with.log.error(e.what());
      result.interrupted = true;
    }
  }
  out.print(summary.table());
  return result;
}

}  // namespace

outcome execute(config::plan plan, base::log& log, base::output& to,
                const std::string& calibration_json) {
  const base::monotonic_clock clock;
  interrupt signals(&log);
  const std::size_t descriptors = base::raise_descriptor_limit();
  const std::int64_t runs = plan.points.empty() ? std::max<std::int64_t>(plan.num_runs, 1)
                                                : static_cast<std::int64_t>(plan.points.size());
  // These checks need no server, so they come before the first request.
  for (const options::plugin_choice& reporter : plan.reporters)
    report::require_single_run(reporter.library);
  require_places(plan.reporters, {1, runs});
  if (plan.dry_run) {
    if (!plan.points.empty()) plan = at_point(plan, plan.points.front());
    prepared ready(std::move(plan), clock, log, to);
    ready.host.out().print(dry_run_text(ready));
    return {};
  }
  covered_terminal terminal(log);
  const shared_parts with{clock, log, to, signals, terminal, descriptors, calibration_json};
  if (plan.points.empty()) return run_series(std::move(plan), runs, with);
  return run_points(plan, with);
}

}  // namespace inferbench::run

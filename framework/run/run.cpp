#include "run/run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/limits.hpp"
#include "report/fanout.hpp"
#include "run/comparison.hpp"
#include "run/covered_terminal.hpp"
#include "run/interrupt.hpp"
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

}  // namespace

outcome execute(config::plan plan, base::log& log, base::output& to,
                const std::string& calibration_json) {
  const base::monotonic_clock clock;
  interrupt signals(&log);
  const std::size_t descriptors = base::raise_descriptor_limit();
  const std::int64_t runs = std::max<std::int64_t>(plan.num_runs, 1);
  // Before the server is asked for anything.
  for (const options::plugin_choice& reporter : plan.reporters)
    report::require_single_run(reporter.library);
  require_places(plan.reporters, {1, runs});

  prepared ready(std::move(plan), clock, log, to);
  covered_terminal terminal(log);  // before the reporters, so that their screen is gone before it
  // Create the reporters first: errors in their options should be reported before the server gets a
  // request.
  auto reporters = std::make_unique<reporting>(ready.plan.reporters, ready.host.services(),
                                               place_in_series{1, runs});
  signals.hold();
  ready.rehearse(signals);
  const profiling profiled(ready.plan.preparation, ready.host.server(), signals, log,
                           ready.host.out());

  outcome result;
  comparison series;
  for (std::int64_t number = 1; number <= runs && !result.interrupted; ++number) {
    const place_in_series which{number, runs};
    try {
      if (!reporters)
        reporters = std::make_unique<reporting>(ready.plan.reporters, ready.host.services(), which);
      measured one =
          measure(ready, *reporters, which, signals, terminal, descriptors, calibration_json);
      if (!one.ended.interrupted) series.add(one.figures);
      merge(result, std::move(one.ended));
    } catch (const base::error& e) {
      // The results of earlier runs stay valid.
      if (number == 1) throw;
      log.error(e.what());
      result.interrupted = true;
    }
    reporters.reset();
    terminal.release();
  }
  ready.host.out().print(series.table());
  return result;
}

}  // namespace inferbench::run

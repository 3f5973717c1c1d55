// The course of the traffic of a run: its start, the wait for its requests, during which the
// progress is shown and a judge or the user may end it, and its end.
#pragma once

#include <cstdint>

#include "run/interrupt.hpp"
#include "run/load_generator.hpp"
#include "run/observers.hpp"
#include "run/prepared.hpp"
#include "run/progress_views.hpp"
#include "run/results.hpp"
#include "run/scoring.hpp"
#include "run/traffic_judge.hpp"

namespace inferbench::run {

struct traffic_outcome {
  bool stopped = false;       // the user stopped the run
  std::uint64_t planned = 0;  // the requests that the schedule had until the traffic ended
};

/// Runs the traffic, from its start until every request has ended and `kept` has all records. Then
/// the feed of `with` is stopped. `load` must be ready. `watchers` start with the traffic; at its
/// end the last reading of the pages begins, and nothing else of them ends. `started_ns`: the start
/// of the run on the host's clock. `judge` may end the traffic early; nullptr: there is no judge.
/// `scores` is nullptr if answers are not scored. Throws base::error if no thread can be started;
/// then the requests are stopped, too. Main thread.
[[nodiscard]] traffic_outcome run_traffic(prepared& with, load_generator& load, results& kept,
                                          progress_views& views, observers& watchers,
                                          interrupt& signals, std::uint64_t started_ns,
                                          traffic_judge* judge, scoring* scores);

}  // namespace inferbench::run

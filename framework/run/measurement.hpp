// Performs one measured run: opens connections, journal and reporters, sends the requests, waits
// for their end, and computes the figures. The class `prepared` contains the state that several
// runs share.
#pragma once

#include <string>

#include "metrics/report.hpp"
#include "run/covered_terminal.hpp"
#include "run/interrupt.hpp"
#include "run/prepared.hpp"
#include "run/reporting.hpp"
#include "run/run.hpp"
#include "run/traffic_judge.hpp"

namespace inferbench::run {

/// The result of a measured run.
struct measurement {
  outcome ended;
  metrics::report figures;
};

/// Measures one run, on the main thread. Call with.rehearse() first. Starts and stops the feed of
/// `with`. `terminal` is covered while a reporter draws a screen. `calibration_json` has the same
/// meaning as for execute(). `judge` may end the traffic early; nullptr: nobody does. Throws
/// base::error for every error that is found before the first request.
[[nodiscard]] measurement measure(prepared& with, const reporting& reporters,
                                  const place_in_series& which, interrupt& signals,
                                  covered_terminal& terminal, std::size_t descriptors,
                                  const std::string& calibration_json,
                                  traffic_judge* judge = nullptr);

}  // namespace inferbench::run

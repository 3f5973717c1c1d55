// One measured run: connections, journal, figures and reporters; go; wait; end. What is
// common to several runs is prepared before.
#pragma once

#include <string>

#include "metrics/report.hpp"
#include "run/interrupt.hpp"
#include "run/prepared.hpp"
#include "run/reporting.hpp"
#include "run/run.hpp"

namespace inferbench::run {

struct measured {
  outcome ended;
  metrics::report figures;
};

/// Main thread. `with` has been rehearsed; its feed is started and stopped here.
/// `calibration_json`: as for execute(). Throws base::error for what is found wrong
/// before the first request.
[[nodiscard]] measured measure(prepared& with, const reporting& reporters,
                               const place_in_series& which, interrupt& signals,
                               std::size_t descriptors, const std::string& calibration_json);

}  // namespace inferbench::run

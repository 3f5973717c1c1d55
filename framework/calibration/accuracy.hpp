// The errors of measured times, by the definitions of tests/tools/compare_truth.py. The client saw
// the events of a request at s[0..n], and the server wrote them at w[0..n]:
//
//   error of TTFT        s[0] - w[0]     (both count from the client's own start)
//   error of gap k       (s[k+1] - s[k]) - (w[k+1] - w[k])
//   error of E2EL        s[n] - w[n]
//   delay of event k     s[k] - w[k]
//
// The server takes a stamp right before each write and a stamp right after it; the event arrived
// between the two stamps. So the two stamps give a range for the true value of each metric. If a
// measured value is outside this range, the excess is certainly an error of the client.
//
// A chat stream begins with a role event, which the server writes together with the first token.
// TTFT ends with the role event; gaps and delays leave the role event out.
//
// The answer of a pooling request is one event, which the client sees at the end of the answer. It
// has an E2EL and a delay, but no TTFT and no gap.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "calibration/truth.hpp"
#include "client/record.hpp"

namespace inferbench::calibration {

/// Errors in ms, with sign: a positive error means that the measured time is too long.
struct error_figures {
  double mean = 0;
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

/// The error of a metric, and the part of the error that is outside the range that the server's
/// times allow, in ms.
struct checked_figures {
  error_figures measured;
  error_figures proven;  // its member `max` is always 0
};

struct accuracy {
  std::uint64_t streams = 0;       // compared requests
  std::uint64_t events = 0;        // events of these requests
  std::uint64_t early_events = 0;  // events whose stamp is earlier than their write: they have the
                                   // stamp of their batch
  std::uint64_t mismatched = 0;    // requests whose number of events differs from the number that
                                   // was written; left out
  error_figures ttft;
  error_figures itl;
  error_figures e2el;
  error_figures delay;
  checked_figures ttft_checked, itl_checked, e2el_checked;
  // The measured P99 minus the true P99, in ms.
  double p99_ttft = 0;
  double p99_itl = 0;
  double p99_e2el = 0;
};

/// Collects requests, then computes their errors. Keeps six numbers for each event. Used by one
/// thread.
class truth_comparison {
 public:
  /// `pooling`: whether the requests are pooling requests.
  explicit truth_comparison(bool pooling = false) : pooling_(pooling) {}

  /// Adds a request. `seen` must have succeeded, and `written` must belong to the same request.
  /// Returns false if their events do not match: the request is then counted in `mismatched` and
  /// left out.
  bool add(const client::record& seen, const served& written);
  /// Computes the errors. Call this once, after all calls of add().
  [[nodiscard]] accuracy finish();

 private:
  /// The values of one metric, in ms.
  struct pairs {
    std::vector<double> error, measured, real, least, most;
    /// The true value is about `real_ms`, between `least_ms` and `most_ms`.
    void add(double measured_ms, double real_ms, double least_ms, double most_ms);
    [[nodiscard]] error_figures finish(double& p99_difference, checked_figures& checked);
  };

  bool pooling_;
  accuracy out_;
  pairs ttft_, itl_, e2el_;
  std::vector<double> delay_;
};

/// {"mean": ..., "p50": ..., "p99": ..., "max": ...}
void write(ifb::json_writer& out, const error_figures& figures);

}  // namespace inferbench::calibration

// How far measured times lie from the true ones, by the definitions of
// tests/tools/compare_truth.py. For a request whose events were seen at s[0..n] and
// written by the server at w[0..n]:
//
//   error of TTFT        s[0] - w[0]     (both count from the client's own start)
//   error of gap k       (s[k+1] - s[k]) - (w[k+1] - w[k])
//   error of E2EL        s[n] - w[n]
//   delay of event k     s[k] - w[k]
//
// The server takes a stamp right before each write and one right after it, and the event arrived in
// between. So a figure cannot be less than one computed with the times before, or more than one
// with those after: what it lies outside of that is the client's doing beyond doubt.
//
// A chat stream begins with a role event that shares the write of its first token: TTFT
// ends with it, and the other figures begin behind it.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "calibration/truth.hpp"
#include "client/record.hpp"

namespace inferbench::calibration {

/// Signed, ms: positive is measured too long.
struct error_figures {
  double mean = 0;
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

/// A figure as measured, and by how much it lies outside of what the server's times allow, ms.
struct checked_figures {
  error_figures measured;
  error_figures proven;  // its max is 0
};

struct accuracy {
  std::uint64_t streams = 0;       // requests compared
  std::uint64_t events = 0;        // their events
  std::uint64_t early_events = 0;  // seen before they were written: stamped with their batch
  std::uint64_t mismatched = 0;    // requests with other events than were written; left out
  error_figures ttft;
  error_figures itl;
  error_figures e2el;
  error_figures delay;
  checked_figures ttft_checked, itl_checked, e2el_checked;
  // The P99 as measured less that of the truth, ms.
  double p99_ttft = 0;
  double p99_itl = 0;
  double p99_e2el = 0;
};

/// Gathers requests and then says. Keeps six numbers for each event. One thread.
class truth_comparison {
 public:
  /// `seen` succeeded, `written` is of the same request. False where they do not match: it is
  /// counted and left out.
  bool add(const client::record& seen, const served& written);
  /// Once.
  [[nodiscard]] accuracy finish();

 private:
  /// Of one figure, ms.
  struct pairs {
    std::vector<double> error, measured, real, least, most;
    /// The true value is about `real_ms`, and from `least_ms` to `most_ms`.
    void add(double measured_ms, double real_ms, double least_ms, double most_ms);
    [[nodiscard]] error_figures finish(double& p99_difference, checked_figures& checked);
  };

  accuracy out_;
  pairs ttft_, itl_, e2el_;
  std::vector<double> delay_;
};

/// {"mean": ..., "p50": ..., "p99": ..., "max": ...}
void write(ifb::json_writer& out, const error_figures& figures);

}  // namespace inferbench::calibration

// One part of a goal that limits a share of the requests, in one probe. The judge owns it and tells
// it which requests count. One thread at a time.
#pragma once

#include <cstddef>
#include <optional>

#include "confidence/anytime.hpp"
#include "confidence/dependence.hpp"
#include "limit/chain_evidence.hpp"
#include "limit/evidence.hpp"
#include "limit/part.hpp"
#include "limit/verdict.hpp"

namespace inferbench::limit {

class share_trial {
 public:
  struct bounds {
    double ln_pass = 0;      // ln(probes / alpha)
    double ln_fail = 0;      // ln(probes * parts / alpha)
    double correlation = 0;  // of neighbours, which the probe assumes at least
  };

  /// `index`: of the part in the goal.
  share_trial(part what, std::size_t index, const bounds& needed);

  [[nodiscard]] std::size_t index() const noexcept { return index_; }

  /// A request of the warm-up.
  void add_warm_up(bool over);
  /// Whether the warm-up says enough about dependence: it has 20 requests over the limit, or as
  /// many requests as have five over the limit if the allowed share is over.
  [[nodiscard]] bool is_warm() const noexcept;
  [[nodiscard]] double warm_up_correlation() const { return warm_up_time_; }
  /// Ends the warm-up, and computes its correlation time.
  void end_warm_up();
  void set_step(std::size_t step);

  /// A request after the warm-up. `counts`: it is one of each step-th.
  void add(bool over, bool counts);

  /// Passed or failed once both kinds of evidence have reached their bounds. A part that has passed
  /// can still fail in a probe that goes on.
  [[nodiscard]] verdict outcome() const noexcept { return outcome_; }
  /// Whether the requests after the warm-up depend on each other more than the step allows.
  [[nodiscard]] bool depends_more() const;

  [[nodiscard]] part_evidence evidence() const;

 private:
  void look_for_pass();
  void look_for_failure();
  /// Requests divided by their correlation time.
  struct thinned {
    double count = 0;
    double over = 0;
  };
  /// The counts that prove a failure in spite of the dependence of the requests.
  [[nodiscard]] std::optional<thinned> failing_all_the_same() const;

  part what_;
  std::size_t index_;
  bounds needed_;
  confidence::over_series warm_up_;
  double warm_up_time_ = 1;
  std::size_t step_ = 1;
  double assumed_ = 0;
  confidence::share_watch counted_;
  confidence::over_series all_;
  chain_counts chain_;
  bool last_warm_up_ = false;
  // The requests since the last power of two of their number, and since the power before it. The
  // longer series is the later half of the probe, or more.
  confidence::over_series since_last_;
  confidence::over_series later_half_;
  // Whether the counted requests have proved it; all requests must prove it too.
  bool counted_less_ = false;
  bool counted_more_ = false;
  std::size_t next_pass_look_ = 0;  // in requests after the warm-up
  std::size_t next_failure_look_ = 0;
  verdict outcome_ = verdict::undecided;
};

}  // namespace inferbench::limit

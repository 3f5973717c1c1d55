// One part of a goal that limits a mean or a rate, in one probe. It is estimated by batch means
// whose number and size are fixed before the probe, and judged once. The judge owns it. One thread
// at a time.
//
// Mean: the mean of the batches' means, with the interval t(k-1) S / sqrt(k). A batch has equal
// numbers of requests.
// Rate: the amount of all requests that end between the start of the first request after the
// warm-up and the start of the last planned request, divided by this time. Requests of the warm-up
// that end in it count, and requests that end after it do not; otherwise the length of the answers
// would change the rate. The batches are equal parts of the time, and the interval is that of the
// means of their rates.
#pragma once

#include <cstddef>
#include <vector>

#include "limit/evidence.hpp"
#include "limit/part.hpp"
#include "limit/verdict.hpp"

namespace inferbench::limit {

/// The fewest requests after the warm-up from which a mean or a rate is estimated.
inline constexpr std::size_t least_for_estimate = 64;

class batch_trial {
 public:
  /// `index`: of the part in the goal. `chance`: that the true value is beyond one end of the
  /// interval.
  batch_trial(part what, std::size_t index, double chance);

  [[nodiscard]] std::size_t index() const noexcept { return index_; }

  /// Fixes the batches for this number of requests after the warm-up, at least least_for_estimate.
  /// Up to 32 batches of at least 8 requests.
  void plan(std::size_t requests);
  /// A request of the warm-up, in the order of the starts.
  void add_warm_up(const observation& request);
  /// A request after the warm-up, in the order of the starts. Requests beyond the plan are ignored.
  void add(const observation& request);
  [[nodiscard]] bool complete() const noexcept { return seen_.size() == batches_ * size_; }

  /// passed or failed if the whole interval is on one side of the limit. undecided before the
  /// estimate is complete.
  [[nodiscard]] verdict outcome() const noexcept { return outcome_; }
  [[nodiscard]] part_evidence evidence() const;

 private:
  void judge_mean();
  void judge_rate();
  void judge(double estimate, double half_width);

  part what_;
  std::size_t index_;
  double chance_;
  std::size_t batches_ = 0;
  std::size_t size_ = 1;             // requests of a batch
  std::vector<observation> before_;  // rate: the requests of the warm-up
  std::vector<observation> seen_;
  part_evidence result_;
  verdict outcome_ = verdict::undecided;
};

}  // namespace inferbench::limit

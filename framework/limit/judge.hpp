// Judges one probe, request by request, and stops as soon as its verdict is proved in either
// direction. Pure: no clock and no randomness; one thread at a time.
//
// The chance that a probe passes although a share part does not meet its goal is at most
// alpha / probes, and the chance that it fails although all parts meet their goals is at most the
// same. docs/certified-search.md has the method, its assumptions and measurements. In short:
//
// 1. The first requests are the warm-up and are discarded. The correlation time of over and under
//    in it, at least least_step, rounded to whole requests, is the step.
// 2. After the warm-up each step-th request counts. A share part passes at
//    ln_evidence_less() >= ln(probes / alpha) and fails at ln_evidence_more() >= ln(probes * parts
//    / alpha) (confidence/anytime.hpp).
// 3. The warm-up of a good load has hardly a request that is over, so it says little about
//    dependence. Therefore all requests after the warm-up, as a chain whose neighbours may have a
//    correlation of up to assumed_correlation, must reach the same bound (chain_evidence.hpp).
// 4. When a bound is reached, the correlation time of all requests after the warm-up is computed.
//    If it is larger than the step by more than its error, a pass becomes `undecided`, and a
//    failure must also be proved by the counts divided by this time; until then the probe goes on.
// 5. Parts of means and rates are estimated once, when the planned number of requests is reached.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "limit/batch_trial.hpp"
#include "limit/evidence.hpp"
#include "limit/part.hpp"
#include "limit/share_trial.hpp"
#include "limit/verdict.hpp"

namespace inferbench::limit {

struct judge_settings {
  double alpha = 0.01;      // between 0 and 1: the chance of a wrong limit over all probes
  std::size_t probes = 12;  // the largest number of probes of the search, at least 1
  /// The warm-up has at least this many requests. It goes on until a share part has 20 requests
  /// over its limit, and ends at 5 / allowed requests at the latest (500 for a p99).
  std::size_t least_warm_up = 100;
  /// A probe does not pass before this many requests, with the warm-up. A queue that grows slowly
  /// needs time to show: choose the requests of at least a minute, or of several answers in a row.
  std::size_t least_requests = 0;
  /// probe_evidence::least_step_of_others() of the earlier probes, the largest.
  double least_step = 1;
  /// 0 to below 1: how much neighbours may be correlated without a trace in the warm-up. 0 assumes
  /// that requests are independent if the warm-up shows nothing else. At 0.8 a slow request is
  /// followed by four slow requests on average.
  double assumed_correlation = 0.8;
  /// The probe ends undecided when this many requests have counted (after the warm-up, each
  /// step-th) and least_requests are there, or at this many requests of any kind.
  std::size_t most_counted = 10'000;
  std::size_t most_requests = 1'000'000;
  /// The number of requests, with the warm-up, after which means and rates are estimated. The
  /// number and the size of the batches follow from it before the probe.
  std::size_t planned = 1'000;
};

class judge {
 public:
  /// Throws base::error if there is no part, if a part or a setting has no meaning, and if
  /// `planned` is too small for an estimate.
  judge(const std::vector<part>& parts, const judge_settings& settings);

  /// The next request in the order of the starts, with an observation for each part. The order
  /// matters: in the order of the ends short requests come first, which makes every probe look
  /// better. Returns false when the probe has ended; later requests are ignored.
  bool add(std::span<const observation> request);

  [[nodiscard]] bool ended() const noexcept { return why_ != ending::open; }
  /// Ends the probe undecided, with ending::time or ending::stopped. No effect on a probe that has
  /// ended.
  void end(ending why);

  /// At any time; `undecided` and `open` before the end.
  [[nodiscard]] probe_evidence evidence() const;

 private:
  [[nodiscard]] bool is_warm() const;
  void end_warm_up();
  void look();
  void finish(verdict outcome, ending why);

  judge_settings settings_;
  std::size_t parts_ = 0;
  std::vector<share_trial> shares_;
  std::vector<batch_trial> estimates_;
  verdict outcome_ = verdict::undecided;
  ending why_ = ending::open;
  std::size_t requests_ = 0;
  bool warm_ = false;
  std::size_t warm_up_ = 0;  // its length; 0 until it has ended
  std::size_t step_ = 1;
  std::size_t until_counted_ = 0;  // requests up to the next request that counts
  std::size_t counted_ = 0;
};

}  // namespace inferbench::limit

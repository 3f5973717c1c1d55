// The numbers behind the verdict of a probe, for console, page and JSON. Values only.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "limit/part.hpp"
#include "limit/verdict.hpp"

namespace inferbench::limit {

struct part_evidence {
  part what;
  verdict outcome = verdict::undecided;

  // share: "certified"
  /// Each step-th request after the warm-up. Failed, with a correlation time above the step: all
  /// requests after the warm-up, or of the later half, divided by their correlation time.
  std::size_t independent = 0;
  std::size_t over = 0;            // of these, the requests over the limit
  std::size_t raw_over = 0;        // over the limit, of all requests after the warm-up
  double warm_up_correlation = 1;  // correlation time of over and under in the warm-up, requests
  double correlation = 1;          // the same of all requests after the warm-up
  double ln_less = 0;              // evidence for "less than allowed", of the independent requests
  double ln_more = 0;              // evidence for "more than allowed"
  double ln_chain_less = 0;        // the same of all requests as a chain (chain_evidence.hpp)
  double ln_chain_more = 0;
  /// With this many independent requests: the largest share that would have passed, and the
  /// smallest that would have failed. A true share between the two would have been missed. nullopt:
  /// no share would have passed (failed).
  std::optional<double> would_pass;
  std::optional<double> would_fail;
  /// undecided: how many more independent requests with the same share over would decide, an
  /// estimate. nullopt if the share is too close to the allowed share for any number to decide.
  std::optional<double> more_needed;

  // mean and rate: "estimated"
  std::optional<double> estimate;    // nullopt before the planned number of requests
  std::optional<double> half_width;  // of the interval; a true value within it may have been missed
  std::size_t batches = 0;           // the independent values of the estimate: the batches

  /// The share of the independent requests that are over; 0 without requests.
  [[nodiscard]] double share() const noexcept {
    return independent == 0 ? 0 : static_cast<double>(over) / static_cast<double>(independent);
  }
};

struct probe_evidence {
  verdict outcome = verdict::undecided;
  ending why = ending::open;
  std::size_t requests = 0;        // all, with the warm-up
  std::size_t warm_up = 0;         // requests that were discarded
  std::size_t step = 1;            // after the warm-up each step-th request counts
  double alpha = 0.01;             // chance of a wrong limit over all probes of the search
  std::size_t probes = 12;         // over which alpha is divided
  double assumed_correlation = 0;  // of neighbours, if the probe shows nothing else
  std::vector<part_evidence> parts;

  /// The number of independent observations that the verdict rests on: the smallest number of its
  /// parts that count for the verdict. 0 before the warm-up has ended.
  [[nodiscard]] std::size_t independent() const noexcept;
  /// The correlation time that later probes of the same search take as their least_step. 1 for a
  /// failed probe, because a queue that grows is a trend and not a dependence.
  [[nodiscard]] double least_step_of_others() const noexcept;
};

}  // namespace inferbench::limit

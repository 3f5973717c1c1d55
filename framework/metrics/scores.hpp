// The scores of a run's answers, from the attributes that the scorer's host has added to the
// records (inferbench/draft/scorer.h), so that a journal gives the same figures as the run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "client/record.hpp"

namespace inferbench::metrics {

/// Not thread-safe.
class scores {
 public:
  /// Adds a request. A request that failed has no answer, so it counts neither as scored nor as
  /// unscored.
  void add(const client::record& of);

  [[nodiscard]] std::uint64_t scored() const noexcept { return scored_; }
  [[nodiscard]] std::uint64_t unscored() const noexcept { return unscored_; }
  /// The mean score, 0 to 1; nullopt if no answer has a score.
  [[nodiscard]] std::optional<double> mean() const noexcept;

  /// The fact "scores": one member, `scorer`, with an object. "scored" and "unscored" count
  /// answers. "mean", "low" and "high" are there if an answer has a score: the mean, and the
  /// interval that contains the mean of all possible answers with the confidence "confidence".
  /// The interval is exact if every score is 0 or 1, otherwise it is that of Student. Requests
  /// count as independent. "reasons" has the number of answers for each reason.
  [[nodiscard]] std::string to_json(std::string_view scorer) const;

 private:
  struct bounds {
    double low = 0;
    double high = 1;
  };
  [[nodiscard]] bounds interval() const noexcept;

  std::uint64_t scored_ = 0;
  std::uint64_t unscored_ = 0;
  std::uint64_t partly_ = 0;  // scores between 0 and 1
  double sum_ = 0;
  double squares_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> reasons_;
  std::uint64_t other_reasons_ = 0;  // beyond the number of reasons that are kept
};

}  // namespace inferbench::metrics

// The goals of a search as samples of requests: for each request and goal, whether the request is
// on the wrong side of the limit, or its value for a mean, or its amount for a rate.
//
//   ttft.p99<200ms           share of requests over 200 ms, at most 1 %     certified
//   failed<=1%               share of requests that failed, at most 1 %     certified
//   request_goodput>=95%     share of requests that missed a limit          certified
//   e2el.mean<2s             mean of the values of requests                 estimated
//   itl.p99<50ms             mean of the shares of gaps over 50 ms          estimated
//   output_throughput>=500   amount per second                              estimated
//
// Failed requests are on the wrong side of each share. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "client/record.hpp"
#include "metrics/goal.hpp"
#include "metrics/goodput.hpp"
#include "metrics/request_times.hpp"

namespace inferbench::find {

/// The kind of evidence by which a goal is judged.
enum class sampling : std::uint8_t { share, mean, rate };

struct sampled_goal {
  metrics::goal of;
  std::string text;  // canonical
  sampling by = sampling::share;
  double allowed = 0;  // share: the largest share on the wrong side, above 0 and below 1
  // mean, rate: the limit of the mean or rate. itl.p99<50ms has the limit 0.01.
  double limit = 0;
  bool upper = true;  // the limit is an upper limit: the values below it are good
};

/// The sample of one request for one goal.
struct goal_sample {
  bool has_value = false;  // false: the request says nothing about the goal
  bool over = false;       // share
  double value = 0;        // mean: the value; rate: the amount, such as output tokens
};

class goal_samples {
 public:
  /// Throws base::error for a goal that cannot be read (metrics/goal.hpp), that no number of
  /// requests can prove ("ttft.max<1s", "failed<=0%"), or whose figure has no samples of requests;
  /// with the remedy. `goodput` as in the plan.
  goal_samples(std::span<const std::string> goals, const metrics::limits& goodput,
               const metrics::request_kind& kind);

  [[nodiscard]] const std::vector<sampled_goal>& goals() const noexcept { return goals_; }

  /// The samples of a request that was sent, in the order of the goals. Not for requests that the
  /// end of the traffic cancelled.
  [[nodiscard]] std::vector<goal_sample> of(const client::record& record) const;
  /// The samples of a request that was cancelled at the end of the traffic: its times are at least
  /// as long as if its next and last event had come at the cancellation, so the request is on the
  /// wrong side if these times are. nullopt: for one of the shares its side is not known.
  [[nodiscard]] std::optional<std::vector<goal_sample>> of_cancelled(
      const client::record& record) const;

 private:
  [[nodiscard]] goal_sample sample(const sampled_goal& goal, const client::record& record,
                                   const metrics::request_times& times) const;

  std::vector<sampled_goal> goals_;
  metrics::good_request good_;
  metrics::request_kind kind_;
};

}  // namespace inferbench::find

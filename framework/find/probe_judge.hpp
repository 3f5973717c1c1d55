// Judges the requests of one probe while they end, and ends the traffic of the probe when its
// verdict is known (limit/judge.hpp).
//
// Requests end in another order than they start: short requests come first, and a sample in this
// order would make every load look better. So a request is judged when all requests before it in
// the schedule have ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/record.hpp"
#include "find/goal_samples.hpp"
#include "limit/evidence.hpp"
#include "limit/judge.hpp"
#include "metrics/context.hpp"
#include "run/traffic_judge.hpp"

namespace inferbench::find {

/// The parts of the goals for limit::judge, in the order of the goals.
[[nodiscard]] std::vector<limit::part> parts_of(const goal_samples& goals);

/// Reasons beside the load for the verdict of a probe.
struct probe_doubts {
  bool client_invalid = false;  // the client did not keep up
  bool sets_rate = false;       // the search is over the request rate
  bool server_gone = false;     // the server does not answer any more
};

/// Makes the verdict of `evidence` undecided if one of `doubts` may be its reason. If the server is
/// gone, this is the reason of a failed probe, also if the client was invalid.
void apply(const probe_doubts& doubts, limit::probe_evidence& evidence);

class probe_judge final : public run::traffic_judge {
 public:
  /// `goals` must outlive this object. `max_time_ns`: the probe ends undecided when its traffic has
  /// lasted so long. Throws as limit::judge.
  probe_judge(const goal_samples& goals, const limit::judge_settings& settings,
              std::uint64_t max_time_ns);

  void take(const client::record& record) override;
  [[nodiscard]] bool has_enough(std::uint64_t elapsed_ns) override;
  /// Judges the requests that are left, if no verdict is known: those that ended, and those that
  /// the end of the traffic cancelled when they were over a limit already. Adds the fact "probe".
  void end(bool stopped, metrics::context& into) override;

  /// Valid after end().
  [[nodiscard]] const limit::probe_evidence& evidence() const noexcept { return evidence_; }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  /// The requests that failed before the end of the traffic, and the error of the first.
  [[nodiscard]] std::uint64_t failed() const noexcept { return failed_; }
  [[nodiscard]] const std::string& first_error() const noexcept { return first_error_; }
  /// The share of the prompts' tokens that came from the server's prefix cache, between 0 and 1;
  /// nullopt if it is not known.
  [[nodiscard]] std::optional<double> hit_rate() const noexcept { return hit_rate_; }
  [[nodiscard]] double duration_s() const noexcept { return duration_s_; }

 private:
  struct ended_request {
    bool sent = false;
    bool known = false;  // false: cancelled before its side of the limits was known
    bool cancelled = false;
    std::uint64_t start_ns = 0, end_ns = 0;
    std::vector<goal_sample> samples;
  };

  void judge_prefix();
  /// Returns false if the request ends the sample.
  bool judge_one(const ended_request& one);

  const goal_samples& goals_;
  std::uint64_t max_time_ns_;
  std::mutex mutex_;
  // The members below are protected by mutex_ until end().
  limit::judge judge_;
  std::map<std::uint64_t, ended_request> waiting_;  // by the position in the schedule
  std::uint64_t next_ = 0;                          // the position that is judged next
  std::uint64_t sent_ = 0;
  std::uint64_t failed_ = 0;
  std::string first_error_;
  std::atomic<bool> enough_ = false;
  bool time_is_over_ = false;  // main thread
  limit::probe_evidence evidence_;
  std::optional<double> hit_rate_;
  double duration_s_ = 0;
};

}  // namespace inferbench::find

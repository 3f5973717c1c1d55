// The past of a run, from which the screen computes what happens now. Constant memory.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace reporters {

class history {
 public:
  static constexpr double kept_s = 120;

  /// The state of the run at the time `at_s`, in seconds since its start. Call this in the order of
  /// time; a state that is not later than the last is ignored.
  void add(double at_s, std::uint64_t finished, double tokens, std::uint64_t in_flight);

  /// Finished requests, or output tokens, per second in the last `span_s` seconds. 0 without two
  /// states.
  [[nodiscard]] double request_rate(double span_s) const;
  [[nodiscard]] double token_rate(double span_s) const;

  /// A value for each of the last seconds, the newest last, at most `most` values.
  [[nodiscard]] std::vector<double> rates(std::size_t most) const;
  [[nodiscard]] std::vector<double> in_flight(std::size_t most) const;

 private:
  struct state {
    double at_s = 0;
    double finished = 0;
    double tokens = 0;
    double in_flight = 0;
  };

  /// The newest state that is not later than `at_s`; the oldest if there is none.
  [[nodiscard]] const state& before(double at_s) const;
  [[nodiscard]] double rate(double state::* of, double span_s) const;

  std::deque<state> states_;
};

}  // namespace reporters

// What the values of a run prove: for each percentile of each summary an upper bound of the true
// percentile, and for each goal whether it is met and whether that is certain. The sample of a
// percentile is the series of values that are over it or under it, in the order of the requests'
// starts; its dependence reduces the number of values (confidence/dependence.hpp). The larger of
// the correlation times of the goal's limit and of the percentile counts, because a series with few
// values over its limit often looks more independent than it is.
//
// A bounded accumulator does not keep the order of the values, so nothing is proved there. One
// thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/histogram.hpp"
#include "metrics/context.hpp"
#include "metrics/goal_result.hpp"
#include "metrics/goodput.hpp"
#include "metrics/kept.hpp"
#include "metrics/request_times.hpp"
#include "metrics/statistics.hpp"
#include "metrics/table.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

/// The percentiles of a summary that are computed: those of the report, and behind them those that
/// only goals name.
struct computed_percentiles {
  std::vector<double> all;
  std::size_t reported = 0;  // the first so many
};

class evidence {
 public:
  /// Sent requests in the order of their starts.
  using order = std::span<const request_times* const>;

  /// Reads the goals of `run`. `rows` and `kept` are the data of an exact accumulator; `kept` is
  /// null for a bounded accumulator. All arguments must outlive the object.
  evidence(const context& run, definitions figures, order rows, const kept_requests* kept);

  [[nodiscard]] computed_percentiles percentiles_for(const definition& row,
                                                     std::span<const double> reported) const;

  /// Adds a figure that is a single number. `sent`: the requests that were sent.
  void add(const definition& row, double value, std::uint64_t sent);
  /// Adds a summary of the values of requests. `values` has the percentiles of percentiles_for().
  void add(const definition& row, of_request how, const statistics& values,
           const computed_percentiles& percentiles);
  /// Adds a summary of the gaps. `counted`: their histogram; null for a bounded accumulator.
  void add(const definition& row, const statistics& values, const computed_percentiles& percentiles,
           const base::histogram* counted);

  /// The goals in the order of the user. Goals whose figure was not added failed. Call this after
  /// the last add().
  [[nodiscard]] std::vector<goal_result> results() const;
  /// Writes the value of the fact `certainty`: an object.
  void write_certainty(ifb::json_writer& out) const;

 private:
  static constexpr const char* no_order =
      "--summary bounded does not keep the order of the values, so their dependence is not known";

  struct bound {
    double percentile;
    std::optional<double> effective_count;
    std::optional<double> value;  // nullopt: the sample does not bound the percentile
  };
  struct certainty {
    certainty(const char* figure, std::uint64_t values) : name(figure), count(values) {}
    bound& add(bound one);

    const char* name;
    std::uint64_t count;
    std::optional<double> effective_count;  // the smallest of its percentiles
    std::vector<bound> bounds;
  };
  struct asked_goal {
    std::optional<goal> of;  // nullopt: the text cannot be read
    goal_result result;
    bool decided = false;
  };

  /// Calls visit(goal, result) for each goal of the figure.
  template <typename visitor>
  void for_goals_of(const definition& row, visitor&& visit);
  /// Decides the goals that need only the statistics; false for the others.
  static bool decide_by_statistics(const goal& of, const statistics& values,
                                   const computed_percentiles& percentiles, bool exact,
                                   goal_result& into);
  void add_unordered(const definition& row, const statistics& values,
                     const computed_percentiles& percentiles);

  order rows_;
  const kept_requests* kept_;
  good_request good_;
  double duration_s_;
  std::string no_score_;  // context::no_score
  std::vector<asked_goal> goals_;
  std::vector<certainty> figures_;
  std::vector<double> series_;  // the values of one figure; kept, because new memory costs time
};

/// A warning for each goal of `run` whose figure a run of this kind does not have, so that it is
/// known before the run that the goal will fail.
[[nodiscard]] std::vector<std::string> unreachable_goals(const context& run,
                                                         definitions figures = table());

}  // namespace inferbench::metrics

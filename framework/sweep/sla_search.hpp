// `sweep serve_sla`: the largest level of a variable that satisfies the criteria. Both searches are
// upstream's: binary (releases 0.11 to 0.13) and spline (0.14 to 0.16). They differ from upstream
// where upstream names a level that it has not tested: level 0 is not run, and both say that no
// value satisfies the criteria.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/level.hpp"
#include "sweep/sla_criteria.hpp"

namespace inferbench::sweep {

struct sla_outcome {
  bool made = false;                    // false in a dry run and if the combination is left out
  std::optional<std::int64_t> largest;  // the answer; nullopt: no value satisfies the criteria
  /// In visiting order. Binary: a level that was visited twice is there twice. Spline: without the
  /// levels of `known`.
  std::vector<run_object> runs;
};

struct sla_search_setup {
  std::string variable;
  const sla_set* criteria = nullptr;  // borrowed; not empty
  /// Runs all repetitions of a level, which is at least 1, or reads the results that it has.
  std::function<level_runs(std::int64_t level)> run;
  /// Spline: the levels that have a summary already, by value.
  std::map<std::int64_t, std::vector<run_object>> known;
  /// The number of requests of the benchmark, if it is known.
  std::optional<std::int64_t> requests = {};
  tell_line tell;
};

/// The levels that stand for infinite load.
inline constexpr std::int64_t binary_search_top = 65536;
inline constexpr std::int64_t spline_search_top = 8192;

/// Prints what is to be known about the answer `largest`: nothing passes; a higher level was not
/// tested (`at_top`); levels above the number of requests do not differ.
void tell_limits(const sla_search_setup& setup, std::optional<std::int64_t> largest, bool at_top);

/// Doubles the level until the criteria are not met, and halves the range after that. The first
/// level is the load that the server carries at 65536. Throws base::error if a result lacks a field
/// of a criterion or of carried_load(), and if a level has no run that succeeded.
[[nodiscard]] sla_outcome search_binary(const sla_search_setup& setup);

/// Tests 8192 and 1, and then the whole part of the smallest root of the margin, interpolated
/// (pchip.hpp) over the levels that were tested. Throws base::error like search_binary().
[[nodiscard]] sla_outcome search_spline(const sla_search_setup& setup);

}  // namespace inferbench::sweep

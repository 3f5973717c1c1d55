// In which order the runs of an experiment are made. A server is started once for each of its
// combinations of parameters, so the order changes only among the runs of one server. Pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep/request.hpp"

namespace inferbench::experiment {

struct planned_run {
  std::size_t combination = 0;
  int run_number = 0;

  friend bool operator==(const planned_run&, const planned_run&) = default;
};

/// The runs of `combinations` combinations of one server.
/// upstream: all runs of a combination, then the runs of the next.
/// shuffled: in a random order, so that a slow change of the machine does not look like an effect
/// of a parameter. The same seed and `server` give the same order on every machine.
/// abba: run 0 of all combinations, run 1 of all combinations in reverse order, and so on, which
/// balances a change that is linear in time.
[[nodiscard]] std::vector<planned_run> ordered_runs(std::size_t combinations, int num_runs,
                                                    sweep::plan::order order, std::uint64_t seed,
                                                    std::size_t server);

}  // namespace inferbench::experiment

#include "experiment/run_order.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace inferbench::experiment {

namespace {

/// Fisher and Yates. std::shuffle gives different orders with different standard libraries; the
/// bias of the remainder is below 1e-15 for every possible number of runs.
void shuffle(std::vector<planned_run>& runs, std::uint64_t seed, std::size_t server) {
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(server)};
  std::mt19937_64 random(mixed);
  for (std::size_t left = runs.size(); left > 1; --left)
    std::swap(runs[left - 1], runs[random() % left]);
}

}  // namespace

std::vector<planned_run> ordered_runs(std::size_t combinations, int num_runs,
                                      sweep::plan::order order, std::uint64_t seed,
                                      std::size_t server) {
  std::vector<planned_run> out;
  if (order != sweep::plan::order::abba) {
    for (std::size_t each = 0; each < combinations; ++each)
      for (int run = 0; run < num_runs; ++run)
        out.push_back({each, run});
    if (order == sweep::plan::order::shuffled) shuffle(out, seed, server);
    return out;
  }
  for (int run = 0; run < num_runs; ++run) {
    for (std::size_t each = 0; each < combinations; ++each)
      out.push_back({each, run});
    if (run % 2 == 1)
      std::reverse(out.end() - static_cast<std::ptrdiff_t>(combinations), out.end());
  }
  return out;
}

}  // namespace inferbench::experiment

// A combination of parameters, and its folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/request.hpp"
#include "sweep/sla_criteria.hpp"

namespace inferbench::experiment {

struct combination {
  sweep::item serve, bench;
  std::string folder;  // below the folder of the experiment; empty: that folder itself
  std::vector<std::string> serve_command, bench_command;  // with the parameters; without the flags
                                                          // for the result file
  // The criteria of a certified search. The search is then run 0 of the combination, and the file
  // of its result has the name sweep::sla_file().
  std::optional<sweep::sla_set> criteria = std::nullopt;
};

[[nodiscard]] combination combination_of(const sweep::plan& plan, const sweep::item& serve,
                                         const sweep::item& bench, std::string folder);

}  // namespace inferbench::experiment

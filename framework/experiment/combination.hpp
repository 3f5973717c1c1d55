// A combination of parameters, and its folder.
#pragma once

#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

struct combination {
  sweep::item serve, bench;
  std::string folder;  // below the folder of the experiment; empty: that folder itself
  std::vector<std::string> serve_command, bench_command;  // with the parameters; without the flags
                                                          // for the result file
};

[[nodiscard]] combination combination_of(const sweep::plan& plan, const sweep::item& serve,
                                         const sweep::item& bench, std::string folder);

}  // namespace inferbench::experiment

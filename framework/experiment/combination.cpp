#include "experiment/combination.hpp"

#include <utility>

#include "sweep/benchmark_command.hpp"
#include "sweep/command.hpp"

namespace inferbench::experiment {

combination combination_of(const sweep::plan& plan, const sweep::item& serve,
                           const sweep::item& bench, std::string folder) {
  combination out{serve, bench, std::move(folder), {}, sweep::with_parameters(plan, serve, bench),
                  {}};
  if (!plan.serve_command.empty()) out.serve_command = sweep::applied(plan.serve_command, serve);
  return out;
}

}  // namespace inferbench::experiment

#include "sweep/sla_search.hpp"

namespace inferbench::sweep {

void tell_limits(const sla_search_setup& setup, std::optional<std::int64_t> largest, bool at_top) {
  if (!largest) {
    // The line before names a level all the same, as upstream does.
    setup.tell("No value satisfies the SLA: " + level_piece(setup.variable, 1) +
               " was tested and does not, and the line above is no answer.");
    return;
  }
  if (at_top) setup.tell("The search tests no higher level, so the true maximum may be higher.");
  if (setup.variable == "max_concurrency" && setup.requests && *setup.requests < *largest)
    setup.tell("The benchmark has " + std::to_string(*setup.requests) +
               " requests, so all levels above are the same test: give it more requests "
               "(num_prompts).");
}

}  // namespace inferbench::sweep

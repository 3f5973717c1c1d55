#include "run/reporting.hpp"

#include "base/clock.hpp"

namespace inferbench::run {

reporting::reporting(const std::vector<options::plugin_choice>& reporters,
                     const plugin::services& shared, const place_in_series& which)
    : name_(run_name(shared.clock->unix_now(), which)) {
  for (options::plugin_choice choice : reporters) {
    files_.settle(choice, name_, which);
    instances_.push_back(choice.create(shared));
    targets_.push_back(report::target_of(*instances_.back()));
    targets_.back().explain = [choice](const plugin::refused& why) { return choice.explain(why); };
  }
}

}  // namespace inferbench::run

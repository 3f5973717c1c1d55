// What the plugins of a run cost the client: the fact "plugin_cost" of its result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plugin/cost.hpp"
#include "plugin/instance.hpp"

namespace inferbench::observe {

/// One plugin of the run and what its calls took.
struct plugin_costs {
  ifb_kind kind = 0;
  std::string id;
  std::vector<plugin::call_cost> calls;
};

/// Takes what was timed of each; later calls count for a later run. nullptr: there is none.
/// What datasets and tokenizers did for the preparation counts for the first run, that of
/// backends for none.
[[nodiscard]] std::vector<plugin_costs> take_costs(
    std::span<const plugin::instance* const> instances);

/// [{"kind", "id", "ns_per_request", "ns_per_event", "calls": {"open": {"timed", "mean",
/// "median", "p99"}, ...}}, ...]: ns of wall time, to a tenth. A request is the sum of the
/// medians of all its calls but on_message, as if each came once; an engine that blocks has
/// none. Of other kinds there is "ns_per_row", "ns_per_record" or "ns_per_kb". Plugins of
/// which nothing was timed are left out.
[[nodiscard]] std::string plugin_cost_json(std::span<const plugin_costs> costs);

}  // namespace inferbench::observe

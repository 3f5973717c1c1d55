// The time that the client spends in the plugins of a run: the fact "plugin_cost" of the result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plugin/cost.hpp"
#include "plugin/instance.hpp"

namespace inferbench::observe {

/// One plugin of the run and the times of its calls.
struct plugin_costs {
  ifb_kind kind = 0;
  std::string id;
  std::vector<plugin::call_cost> calls;
};

/// Takes the times measured so far; later calls count for a later run. Null pointers are skipped.
/// During preparation, the calls of datasets and tokenizers count for the first run; the calls of
/// backends do not count for any run.
[[nodiscard]] std::vector<plugin_costs> take_costs(
    std::span<const plugin::instance* const> instances);

/// [{"kind", "id", "ns_per_request", "ns_per_event", "calls": {"open": {"timed", "mean", "median",
/// "p99"}, ...}}, ...]: ns of wall time, rounded to 0.1 ns. ns_per_request is the sum of the
/// medians of all calls except on_message, each counted once; an engine that blocks does not have
/// this member. Plugins of other kinds have "ns_per_row", "ns_per_record" or "ns_per_kb". Plugins
/// without a timed call are left out.
[[nodiscard]] std::string plugin_cost_json(std::span<const plugin_costs> costs);

}  // namespace inferbench::observe

// The cost of the plugins of a run for the client: the fact "plugin_cost" of the result.
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
/// The calls of datasets and tokenizers during preparation count for the first run, those of
/// backends for no run.
[[nodiscard]] std::vector<plugin_costs> take_costs(
    std::span<const plugin::instance* const> instances);

/// [{"kind", "id", "ns_per_request", "ns_per_event", "calls": {"open": {"timed", "mean", "median",
/// "p99"}, ...}}, ...]: ns of wall time, to a tenth. ns_per_request is the sum of the medians of
/// all calls except on_message, each counted once; an engine that blocks has none. Other kinds have
/// "ns_per_row", "ns_per_record" or "ns_per_kb". Plugins without a timed call are left out.
[[nodiscard]] std::string plugin_cost_json(std::span<const plugin_costs> costs);

}  // namespace inferbench::observe

#include "run/traffic_end.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.hpp"

namespace inferbench::run {

std::uint64_t planned_until_now(const prepared& with, load_generator& load,
                                std::uint64_t started_ns) {
  if (!with.plan.load.ends()) return load.jobs().planned(with.samples->requests());
  const std::uint64_t now = std::max(with.clock.now(), started_ns);
  const std::uint64_t due =
      load.jobs().due_before(std::min(now - started_ns, with.plan.load.duration_ns));
  return std::max(due, load.requests().counts().started);
}

void tell_of_early_end(const prepared& with, std::uint64_t sent, std::uint64_t started_ns) {
  const config::plan& plan = with.plan;
  const std::uint64_t now = with.clock.now();
  if (!plan.load.ends() || plan.num_prompts.value_or(0) > 0 || sent < with.samples->requests() ||
      now >= started_ns + plan.load.duration_ns)
    return;
  with.log.warning(
      fmt::format("the requests of dataset {} ended after {:.3g} s, before the {} of --duration",
                  plan.dataset_name, static_cast<double>(now - std::min(now, started_ns)) / 1e9,
                  base::duration_text(static_cast<std::int64_t>(plan.load.duration_ns))));
}

}  // namespace inferbench::run

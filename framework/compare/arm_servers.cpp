#include "compare/arm_servers.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace inferbench::compare {

arm_servers::arm_servers(const std::array<arm, 2>& arms, std::uint64_t settle_ns, pause wait,
                         base::log& log)
    : settle_ns_(settle_ns), pause_(std::move(wait)), log_(log) {
  servers_.push_back(std::make_unique<services::target>(arms[0].server, clock_));
  if (arms[1].server.base_urls != arms[0].server.base_urls)
    servers_.push_back(std::make_unique<services::target>(arms[1].server, clock_));
  for (const auto& each : servers_)
    at_first_.push_back(observe::worst_reply(*each));
}

observe::idle_wait arm_servers::waiting() const {
  observe::idle_wait how;
  how.settle_ns = settle_ns_;
  how.pause = pause_;
  return how;
}

bool arm_servers::all_answer() const {
  for (std::size_t i = 0; i < servers_.size(); ++i)
    if (!observe::all_answer(*servers_[i], clock_, waiting(), at_first_[i])) return false;
  return true;
}

void arm_servers::wait_until_idle() const {
  const observe::idle_wait how = waiting();
  for (const auto& each : servers_) {
    const observe::idleness found = observe::wait_until_idle(*each, clock_, how);
    if (found == observe::idleness::stopped) return;
    if (found == observe::idleness::busy)
      log_.warning(
          fmt::format("the server still has requests after {} s "
                      "without ours: the next run begins "
                      "under the load of somebody else",
                      how.patience_ns / base::ns_per_s));
  }
}

}  // namespace inferbench::compare

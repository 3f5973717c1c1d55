#include "report/fanout.hpp"

#include <algorithm>

#include "report/lane.hpp"

namespace inferbench::report {

target target_of(const plugin::instance& reporter) {
  const plugin::reporter calls = plugin::reporter_of(reporter);
  const bool stamps =
      (calls.flags & IFB_REPORTER_STAMPS_IF_DETAILED) == 0 || reporter.is_on("save-detailed");
  return {std::string(reporter.library().id()), reporter.get(), calls, stamps, {}};
}

fanout::fanout(std::vector<target> targets, base::log& log, limits bounds)
    : log_(log), limits_(bounds) {
  lanes_.reserve(targets.size());
  for (target& each : targets)
    lanes_.push_back(std::make_unique<lane>(std::move(each), log));
}

fanout::~fanout() = default;

void fanout::begin(const ifb_run& run) {
  for (const auto& each : lanes_)
    each->begin(run);
  for (const auto& each : lanes_)
    wait_for(*each);
  for (const auto& each : lanes_)
    if (each->failed()) throw each->refusal();
}

bool fanout::wants_stamps() const {
  return std::ranges::any_of(
      lanes_, [](const auto& each) { return each->wants_stamps() && !each->failed(); });
}

void fanout::records(const std::shared_ptr<const batch>& records) {
  for (const auto& each : lanes_)
    each->records(records, limits_.queue_bytes, wait_when_full_);
}

void fanout::snapshot(const std::shared_ptr<const metrics::report>& figures, std::uint64_t at_ns) {
  for (const auto& each : lanes_)
    each->snapshot(figures, at_ns);
}

void fanout::wait_for(lane& one) const {
  if (one.wait_idle(limits_.patience)) return;
  log_.info("still waiting for reporter " + one.name() + ", which is busy in its call " +
            one.busy_with());
  one.wait_idle();
}

void fanout::wait_idle(std::chrono::milliseconds at_most) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  for (const auto& each : lanes_)
    each->wait_idle(std::max(std::chrono::milliseconds(0),
                             std::chrono::duration_cast<std::chrono::milliseconds>(
                                 deadline - std::chrono::steady_clock::now())));
}

bool fanout::finish(const ifb_summary& summary) {
  for (const auto& each : lanes_)
    each->end(summary);
  for (const auto& each : lanes_)
    wait_for(*each);
  const bool all = failed().empty();
  for (const auto& each : lanes_)
    each->stop();
  return all;
}

std::vector<std::string> fanout::failed() const {
  std::vector<std::string> names;
  for (const auto& each : lanes_)
    if (each->failed()) names.push_back(each->name());
  return names;
}

}  // namespace inferbench::report

#include "report/fanout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "report/lane.hpp"

namespace inferbench::report {

void require_single_run(const plugin::loaded& reporter) {
  if (reporter.query(IFB_REPORTER_OPS) != nullptr ||
      reporter.query(IFB_TABLE_REPORTER_OPS) == nullptr)
    return;  // plugin::reporter_of() refuses a plugin with neither interface
  throw base::error(
      "reporter " + std::string(reporter.id()) +
          " shows several runs side by side, and not a single run",
      "inferbench report A.journal B.journal --reporter " + std::string(reporter.id()));
}

target target_of(const plugin::instance& reporter) {
  const plugin::loaded& library = reporter.library();
  require_single_run(library);
  const plugin::reporter calls = plugin::reporter_of(reporter);
  const bool stamps =
      (calls.flags & IFB_REPORTER_STAMPS_IF_DETAILED) == 0 || reporter.is_on("save-detailed");
  return {std::string(library.id()), reporter.get(), calls, stamps, {}};
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

bool fanout::wants_snapshot(std::uint64_t at_ns) const {
  return std::ranges::any_of(lanes_, [&](const auto& each) { return each->wants_snapshot(at_ns); });
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

bool fanout::finish(const ifb_summary& summary, const std::function<void()>& live_ended) {
  for (const bool live : {true, false}) {
    for (const auto& each : lanes_)
      if (each->live() == live) each->end(summary);
    for (const auto& each : lanes_)
      if (each->live() == live) wait_for(*each);
    if (live && live_ended) live_ended();
  }
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

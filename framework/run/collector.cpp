#include "run/collector.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/cpu.hpp"
#include "plugin/instance.hpp"
#include "report/batch.hpp"

namespace inferbench::run {

namespace {

// How long a finished record may wait for company.
constexpr std::chrono::milliseconds patience{100};

}  // namespace

collector::collector(records::channel& from, outputs to, const base::clock& clock,
                     std::uint64_t started_ns)
    : from_(from), to_(std::move(to)), clock_(clock), started_ns_(started_ns) {
  thread_ = std::thread([this] {
    base::give_way();
    run();
  });
}

void collector::join() {
  if (thread_.joinable()) thread_.join();
}

void collector::run() {
  std::uint64_t snapshot_at = started_ns_ + base::ns_per_s;
  for (bool more = true; more;) {
    std::vector<client::record> batch;
    more = from_.pop_all(batch, std::chrono::steady_clock::now() + patience);
    if (!batch.empty()) last_end_ns_ = std::max(last_end_ns_, collect(std::move(batch), to_));
    if (to_.journal != nullptr) to_.journal->tick();
    const std::uint64_t now = clock_.now();
    if (now < snapshot_at) continue;
    snapshot_at = now + base::ns_per_s;
    to_.reporters.snapshot(std::make_shared<const metrics::report>(
        to_.figures.snapshot(static_cast<double>(now - started_ns_) / 1e9)));
  }
}

void begin_reporters(report::fanout& reporters, const records::run_information& run) {
  ifb_run view{};
  view.struct_size = sizeof view;
  view.name = plugin::str(run.name);
  view.started_ns = run.started_ns;
  view.started_unix_ns = run.started_unix_ns;
  view.config_json = plugin::str(run.config_json);
  view.environment_json = plugin::str(run.environment_json);
  reporters.begin(view);
}

std::uint64_t collect(std::vector<client::record> batch, const collector::outputs& to) {
  std::uint64_t last = 0;
  for (client::record& record : batch) {
    const auto source = metrics::resolve(record, to.pooling, to.counter, to.expected);
    if (to.journal != nullptr) to.journal->append(record);
    to.figures.add(record, source);
    if (to.caches != nullptr) to.caches->add(record);
    last = std::max(last, record.end_ns);
  }
  to.reporters.records(
      std::make_shared<const report::batch>(std::move(batch), to.reporters.wants_stamps()));
  return last;
}

}  // namespace inferbench::run

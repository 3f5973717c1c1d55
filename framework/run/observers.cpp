#include "run/observers.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "observe/pages.hpp"

namespace inferbench::run {

namespace {

// A probe that is in flight when the traffic ends is cancelled after this time.
constexpr std::uint64_t last_probe_ns = 30 * base::ns_per_s;

// The last reading of metrics pages is given up after this time.
constexpr std::uint64_t last_reading_ns = 2 * base::ns_per_s;

}  // namespace

observers::observers(const prepared& with) : with_(with) {
  const config::observing& wanted = with.plan.observe;
  auto pages = observe::pages_of(wanted, with.host.server(), !with.protocol.engine);
  if (!pages.empty())
    pages_.emplace(with.clock, std::move(pages), wanted.interval_ns, wanted.names);
  else if (wanted.wanted)
    with.log.warning("--observe has no effect: the backend has no server, and no page is given");
}

void observers::count_before(interrupt& signals) {
  if (!with_.protocol.engine)
    counted_before_ =
        observe::ask_counters(with_.host.server(), [&signals] { return signals.came(); });
  signals.end_set_up();
}

void observers::make_probes() {
  if (with_.plan.load.probe_rate > 0)
    probes_.emplace(with_.clock, with_.protocol, with_.samples->first().c,
                    with_.plan.load.probe_rate, with_.plan.stamping);
}

void observers::begin_energy() {
  if (!with_.plan.observe.power) return;
  try {
    energy_.emplace(observe::open_nvml());
    energy_->start(with_.clock.now());
  } catch (const base::error& e) {
    energy_.reset();
    with_.log.warning(e.what());
  }
}

void observers::start(std::span<const pid_t> threads, std::uint64_t started_ns) {
  system_.watch(threads, started_ns);
  if (probes_) probes_->start(started_ns);
  if (pages_) pages_->start(started_ns);
}

void observers::finish_readings(bool stopped) {
  if (!pages_) return;
  if (stopped) pages_->cancel();
  pages_->finish();
}

void observers::end_energy(std::int64_t output_tokens, metrics::context& context) {
  if (!energy_) return;
  try {
    context.set_fact("gpu_energy",
                     observe::energy_json(energy_->finish(with_.clock.now()), output_tokens));
  } catch (const base::error& e) {
    with_.log.warning(e.what());
  }
}

bool observers::end_probes(bool stopped, interrupt& signals, metrics::context& context) {
  if (!probes_) return true;
  if (stopped) probes_->cancel();
  probes_->finish();
  bool stopped_here = false;
  const std::uint64_t deadline = with_.clock.now() + last_probe_ns;
  while (!probes_->over() && !stopped_here && with_.clock.now() < deadline)
    stopped_here = signals.wait(std::chrono::milliseconds(1));
  if (!probes_->over()) {
    if (!stopped_here) with_.log.warning("the last probe was given up: it had no answer yet");
    probes_->cancel();
  }
  observe::probe_results found = probes_->results();
  if (found.latencies_ms.empty() && found.failed != 0)
    with_.log.warning(
        fmt::format("none of {} probes succeeded: {}", found.failed, found.first_error));
  observe::add_probe_figures(std::move(found), context);
  return !stopped_here;
}

bool observers::end_readings(interrupt& signals) {
  if (!pages_) return true;
  bool stopped = false;
  const std::uint64_t deadline = with_.clock.now() + last_reading_ns;
  while (!pages_->over() && !stopped && with_.clock.now() < deadline)
    stopped = signals.wait(std::chrono::milliseconds(1));
  if (!pages_->over()) pages_->cancel();
  pages_->join();
  return !stopped;
}

bool observers::compare_counters(interrupt& signals, metrics::context& context) {
  bool stopped = false;
  std::optional<observe::server_counters> after;
  if (counted_before_)
    after = observe::ask_counters(
        with_.host.server(), [&] { return stopped = signals.wait(std::chrono::nanoseconds(0)); });
  if (after) observe::add_server_figures(*counted_before_, *after, context.duration_s, context);
  with_.caches->end(after ? observe::cache_gain(*counted_before_, *after) : std::nullopt, context,
                    with_.log);
  return !stopped || after.has_value();
}

}  // namespace inferbench::run

#include "run/load_generator.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace inferbench::run {

namespace {

expected_load load_of(const prepared& with, std::size_t descriptors) {
  const config::plan& plan = with.plan;
  return {plan.connections_ahead,
          with.most_requests(),
          plan.load.max_concurrency,
          with.about.self_timed ? 0 : schedule::first_rate(plan.load.traffic),
          descriptors,
          shares(static_cast<std::size_t>(plan.workers), plan.load.max_concurrency).size(),
          std::max<std::size_t>(with.protocol.servers.size(), 1)};
}

}  // namespace

traffic_settings settings_of(const prepared& with, const expected_load& load,
                             std::size_t requests_ahead) {
  const bool connects = !with.protocol.engine;
  return {load.workers,
          with.plan.load.max_concurrency,
          connects ? connections_ahead(load) : 0,
          requests_ahead,
          prepared::bytes_ahead,
          prepared::burst_bytes,
          connects && need_own_tables(load),
          with.plan.stamping,
          [&log = with.log](const std::string& line) { log.warning(line); }};
}

void tell_of_tables(const expected_load& load, base::log& log) {
  if (need_own_tables(load))
    log.info(
        fmt::format("the connections may need more than the limit of {} open files: each of "
                    "the {} workers has a table of its own",
                    load.descriptors, load.workers));
  if (const std::string excess = too_many_connections(load); !excess.empty()) log.warning(excess);
}

load_generator::load_generator(prepared& with, std::size_t descriptors)
    : jobs_(with.jobs()),
      duration_ns_(with.plan.load.ends() ? with.plan.load.duration_ns : run_source::unlimited),
      load_(load_of(with, descriptors)),
      finished_(load_.workers),
      requests_(with.clock, with.protocol, *jobs_, settings_of(with, load_, with.burst())) {
  if (!with.protocol.engine) tell_of_tables(load_, with.log);
}

void load_generator::make_ready(interrupt& signals) {
  requests_.start(
      [this](std::size_t worker, client::record&& r) {
        jobs_->answered(r);
        finished_.push(worker, std::move(r));
      },
      [this](std::size_t worker) { finished_.close(worker); });
  while (!requests_.ready())
    if (signals.wait(std::chrono::milliseconds(1))) return signals.end_set_up();
}

void load_generator::begin(std::uint64_t started_ns) {
  jobs_->start_at(started_ns, duration_ns_);
  requests_.begin();
}

}  // namespace inferbench::run

#include "run/rehearsal.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {

namespace {

constexpr std::uint64_t pause_ns = 5 * base::ns_per_s;  // between two ready checks
constexpr std::uint64_t least_attempt_ns = base::ns_per_s / 2;
constexpr std::uint64_t profiler_ns = 60 * base::ns_per_s;  // for /start_profile to answer

const char* const stopped = "stopped before the measurement began";

/// Sends the sample `count` times and waits for the records. Throws when the user stops.
std::vector<client::record> send(const client::backend& protocol, const ifb_sample& sample,
                                 std::uint64_t count, std::optional<std::int64_t> concurrency,
                                 const base::clock& clock, interrupt& signals) {
  repeated jobs(sample, count, clock.now());
  std::vector<client::record> records;  // outlives the threads that fill it
  traffic requests(clock, protocol, jobs, {.max_concurrency = concurrency});
  requests.start([&](std::size_t, client::record&& r) { records.push_back(std::move(r)); },
                 [](std::size_t) {});
  requests.begin();
  while (!requests.over())
    if (signals.wait(std::chrono::milliseconds(1))) throw base::error(stopped);
  requests.join();
  return records;
}

void wait_until_ready(const config::plan& plan, client::backend protocol, const ifb_sample& sample,
                      const base::clock& clock, interrupt& signals, base::log& log, console& out) {
  const std::uint64_t limit = plan.ready_check_timeout_ns;
  out.line(fmt::format("Waiting for endpoint to become up in {} seconds", limit / base::ns_per_s));
  const std::uint64_t deadline = clock.now() + limit;
  for (;;) {
    // One attempt may take no longer than what is left: a server that accepts and
    // hangs must not hold the run.
    const std::uint64_t now = clock.now();
    protocol.request_timeout_ns = deadline > now ? deadline - now : 1;
    const auto records = send(protocol, sample, 1, 1, clock, signals);
    if (records.front().ok()) break;
    const std::uint64_t after = clock.now();
    if (after + least_attempt_ns >= deadline)
      throw base::error("the server was not ready within " +
                            std::to_string(limit / base::ns_per_s) + " s: " + records.front().error,
                        "start it, or give it longer with --ready-check-timeout-sec");
    log.warning("not ready yet: " + records.front().error);
    // Time for a last attempt is left.
    if (signals.wait(
            std::chrono::nanoseconds(std::min(pause_ns, deadline - after - least_attempt_ns))))
      throw base::error(stopped);
  }
  out.line("Initial test run completed.");
}

void profiler(const target& server, const char* path, const char* doing, const char* done,
              base::log& log, console& out) {
  out.line(doing);
  const auto answer = server.fetch("POST", path, {}, profiler_ns);
  if (answer.ok() && answer.status == 200)
    out.line(done);
  else if (answer.ok())
    log.warning(fmt::format("{} answered HTTP {} {}", path, answer.status, answer.reason));
  else
    log.warning(answer.error);
}

}  // namespace

void rehearse(const config::plan& plan, const client::backend& protocol,
              const dataset::sample& first, const base::clock& clock, interrupt& signals,
              base::log& log, console& out) {
  out.line("Starting initial single prompt test run...");
  if (plan.ready_check_timeout_ns > 0)
    wait_until_ready(plan, protocol, first.c, clock, signals, log, out);
  else
    out.line("Skipping endpoint ready check.");
  if (plan.num_warmups > 0) {
    out.line(fmt::format("Warming up with {} requests...", plan.num_warmups));
    std::ignore = send(protocol, first.c, static_cast<std::uint64_t>(plan.num_warmups),
                       plan.load.max_concurrency, clock, signals);
    out.line("Warmup run completed.");
  }
}

profiling::profiling(const config::plan& plan, const target& server, base::log& log, console& out)
    : wanted_(plan.profile), server_(server), log_(log), out_(out) {
  if (wanted_)
    profiler(server_, "/start_profile", "Starting profiler...", "Profiler started", log_, out_);
}

profiling::~profiling() {
  if (!wanted_) return;
  try {
    profiler(server_, "/stop_profile", "Stopping profiler...", "Profiler stopped", log_, out_);
  } catch (const std::exception& e) {
    log_.warning(e.what());
  }
}

}  // namespace inferbench::run

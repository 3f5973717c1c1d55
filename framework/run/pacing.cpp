#include "run/pacing.hpp"

#include <ctime>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "base/units.hpp"

namespace inferbench::run {

namespace {

std::string traffic_lines(const config::load& load) {
  std::string out = schedule::start_lines(load.traffic);
  out += fmt::format("Burstiness factor: {} ({})\n", base::shortest(load.burstiness),
                     load.burstiness == 1.0 ? "Poisson process" : "Gamma distribution");
  out += "Maximum request concurrency: " +
         (load.max_concurrency ? std::to_string(*load.max_concurrency) : std::string("None")) +
         "\n";
  return out;
}

}  // namespace

bool self_timed(const config::load& load, std::uint32_t flags) noexcept {
  return (flags & IFB_DATASET_ARRIVALS) != 0 && load.self_timed.value_or(true);
}

schedule::pace pace_of(const config::load& load, std::uint64_t seed) {
  return {load.traffic, load.burstiness, seed};
}

std::string start_lines(const config::load& load, bool self_timed) {
  std::string out = "Starting main benchmark run...\n";
  out += self_timed ? "Requests are sent at the times of the trace.\n" : traffic_lines(load);
  if (load.ends())
    out += "Requests are sent for " +
           base::duration_text(static_cast<std::int64_t>(load.duration_ns)) + ".\n";
  if (load.probe_rate > 0)
    out += "Probe request rate: " + base::shortest(load.probe_rate) + " req/s\n";
  return out;
}

std::string local_time(std::int64_t unix_ns) {
  constexpr std::int64_t second = 1'000'000'000;
  const auto seconds = static_cast<std::time_t>(unix_ns / second);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}", local.tm_year + 1900,
                     local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                     unix_ns % second / 1000);
}

std::string change_events(std::span<const schedule::rate_change> changes,
                          std::int64_t started_unix_ns, std::uint64_t ended_ns) {
  ifb::json_writer out;
  out.begin_array();
  for (const schedule::rate_change& change : changes) {
    if (change.due_ns > ended_ns) break;
    out.begin_object();
    out.member("rps", change.rate);
    out.member("timestamp", local_time(started_unix_ns + static_cast<std::int64_t>(change.due_ns)));
    out.end_object();
  }
  out.end_array();
  return out.take();
}

}  // namespace inferbench::run

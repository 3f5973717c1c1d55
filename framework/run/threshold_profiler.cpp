#include "run/threshold_profiler.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "observe/idle.hpp"

namespace inferbench::run {

namespace {

constexpr std::uint64_t between_looks_ns = base::ns_per_s / 5;
constexpr std::uint64_t look_limit_ns = 2 * base::ns_per_s;
constexpr std::uint64_t profiler_limit_ns = 60 * base::ns_per_s;

}  // namespace

threshold_profiler::threshold_profiler(const config::preparation& wanted,
                                       const services::target& servers,
                                       std::function<std::uint64_t()> in_flight, base::log& log)
    : wanted_(wanted),
      servers_(servers),
      in_flight_(std::move(in_flight)),
      log_(log),
      thread_([this] { watch(); }) {}

threshold_profiler::~threshold_profiler() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (profiled_) return;
  try {
    log_.warning(
        fmt::format("nothing was profiled: there were at most {:.0f} requests at once, and "
                    "--profile-batch-threshold is {}",
                    most_, *wanted_.profile_batch_threshold));
  } catch (const std::exception&) {
    // Out of memory: the user does not get the warning.
  }
}

void threshold_profiler::watch() {
  try {
    while (!is_busy())
      if (wait(between_looks_ns)) return;
    profile();
  } catch (const std::exception& e) {
    log_.warning(e.what());
  }
}

bool threshold_profiler::is_busy() {
  const std::optional<double> theirs = own_count_ ? std::nullopt : running();
  const double now = theirs ? *theirs : static_cast<double>(in_flight_());
  most_ = std::max(most_, now);
  return !is_over() && now >= static_cast<double>(*wanted_.profile_batch_threshold);
}

std::optional<double> threshold_profiler::running() {
  double sum = 0;
  for (std::size_t i = 0; i < servers_.endpoints().size(); ++i) {
    const auto page =
        servers_.fetch("GET", "/metrics", {}, look_limit_ns, i, [this] { return is_over(); });
    if (page.stopped) return 0;
    // A server that is too busy to answer in time may answer later.
    if (!page.ok()) return most_;
    const auto one = page.status == 200 ? observe::read_occupancy(page.body) : std::nullopt;
    if (!one) {
      own_count_ = true;
      log_.info(
          "/metrics does not report running requests, so --profile-batch-threshold counts the "
          "requests that the client has sent");
      return std::nullopt;
    }
    sum += one->running;
  }
  return sum;
}

void threshold_profiler::profile() {
  profiled_ = true;
  tell("/start_profile", false);
  log_.info(fmt::format("{:.0f} requests at once: the profiler was started", most_));
  static_cast<void>(wait(wanted_.profile_duration_ns));
  tell("/stop_profile", true);
  log_.info("the profiler was stopped");
}

/// Sends a POST to `path` of each server. `last`: also after the end of the run.
void threshold_profiler::tell(const char* path, bool last) {
  for (std::size_t i = 0; i < servers_.endpoints().size(); ++i) {
    const auto answer = servers_.fetch("POST", path, {}, profiler_limit_ns, i,
                                       [this, last] { return !last && is_over(); });
    if (answer.ok() && answer.status == 200) continue;
    if (answer.stopped) continue;
    const std::string& which = servers_.endpoints()[i].where.text();
    log_.warning(answer.ok() ? fmt::format("{}{} answered HTTP {} {}", which, path, answer.status,
                                           answer.reason)
                             : answer.error);
  }
}

bool threshold_profiler::wait(std::uint64_t ns) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::nanoseconds(ns), [this] { return over_; });
}

bool threshold_profiler::is_over() {
  const std::lock_guard lock(mutex_);
  return over_;
}

}  // namespace inferbench::run

#include "experiment/server_process.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_failures.hpp"
#include "transport/fetch.hpp"
#include "transport/listening.hpp"
#include "transport/server_address.hpp"

namespace inferbench::experiment {

namespace {

using server_clock = std::chrono::steady_clock;

constexpr std::uint64_t health_limit_ns = 5 * base::ns_per_s;
constexpr auto look_for_end = std::chrono::milliseconds(100);
constexpr auto shortest_poll_interval = std::chrono::milliseconds(10);
constexpr std::size_t shown_server_lines = 20;
constexpr std::uint32_t ready_status = 200;

}  // namespace

transport::endpoint free_address(const std::vector<std::string>& command,
                                 const std::atomic<bool>& stop) {
  if (stop) throw stopped_sweep();
  if (const std::string why = why_too_long(command); !why.empty()) throw base::error(why);
  transport::endpoint out = transport::resolve(transport::server_address(command));
  transport::require_free(out);
  return out;
}

server_process::server_process(transport::endpoint where, const supervise::program& what,
                               const std::atomic<bool>& stop)
    : where_(std::move(where)),
      name_(base::one_line(what.words.front())),
      stop_(stop),
      process_(what) {}

void server_process::await_health(const readiness& with) {
  const base::monotonic_clock clock;
  const auto began = server_clock::now();
  for (;;) {
    const transport::fetch_result got = transport::fetch(
        clock, where_, {.target = "/health", .total_timeout_ns = health_limit_ns, .stop = [this] {
                          return stop_ || has_ended();
                        }});
    if (stop_) throw stopped_sweep();
    if (has_ended()) throw base::error(end_text(with.when));
    if (got.ok() && got.status == ready_status) return;
    const auto elapsed = server_clock::now() - began;
    if (elapsed > std::chrono::seconds(with.limit_s))
      throw base::error(
          "the server " + name_ + " was not ready within " + std::to_string(with.limit_s) + " s: " +
          (got.ok() ? "GET " + address() + "/health has the status " + std::to_string(got.status)
                    : got.error) +
          "; give it more time by " + with.setting + ", or see why in its log" + last_lines());
    wait(with, elapsed);
  }
}

void server_process::wait(const readiness& with, server_clock::duration elapsed) {
  const auto part = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed / 4);
  const auto until =
      server_clock::now() + std::min(with.poll_interval, std::max(shortest_poll_interval, part));
  do {
    if (with.meanwhile) with.meanwhile();
    if (stop_) throw stopped_sweep();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - server_clock::now());
    if (has_ended(std::clamp(left, std::chrono::milliseconds(0), look_for_end))) return;
  } while (server_clock::now() < until);
}

bool server_process::has_ended(std::chrono::milliseconds grace) {
  if (!status_) status_ = process_.wait_until(server_clock::now() + grace);
  return status_.has_value();
}

std::string server_process::end_text(const std::string& when) const {
  return "the server " + name_ + " ended with " + supervise::status_text(status_.value_or(0)) +
         when + last_lines();
}

std::string server_process::last_lines() const {
  const std::string lines = process_.last_lines(shown_server_lines);
  return lines.empty() ? "; it has printed nothing" : "; the last lines of its output:\n" + lines;
}

}  // namespace inferbench::experiment

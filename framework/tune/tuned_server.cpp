#include "tune/tuned_server.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_failures.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/fetch.hpp"
#include "transport/listening.hpp"
#include "transport/server_address.hpp"

namespace inferbench::tune {

namespace {

using server_clock = supervise::supervised_process::time_point::clock;

constexpr std::uint64_t health_limit_ns = 5 * base::ns_per_s;
// The server may finish its last steps before it answers.
constexpr std::uint64_t post_limit_ns = 60 * base::ns_per_s;
constexpr auto longest_interval = std::chrono::milliseconds(1000);
constexpr auto shortest_interval = std::chrono::milliseconds(10);
constexpr auto look_for_end = std::chrono::milliseconds(100);
constexpr std::uint32_t ready = 200;
constexpr std::uint32_t no_success = 300;

/// The address of the server, at which nobody listens yet.
transport::endpoint free_address(const tuned_server_setup& setup) {
  if (setup.stop) throw experiment::stopped_sweep();
  const std::vector<std::string>& words = setup.program.words;
  if (const std::string why = experiment::why_too_long(words); !why.empty()) throw base::error(why);
  transport::endpoint out = transport::resolve(transport::server_address(words));
  transport::require_free(out);
  return out;
}

}  // namespace

tuned_server::tuned_server(const tuned_server_setup& setup)
    : name_(base::one_line(setup.program.words.front())),
      stop_(setup.stop),
      where_(free_address(setup)),
      process_(setup.program) {
  await_health(setup.ready_timeout_s);
}

void tuned_server::await_health(std::uint64_t limit_s) {
  const base::monotonic_clock clock;
  const auto began = server_clock::now();
  for (;;) {
    const transport::fetch_result got = transport::fetch(
        clock, where_, {.target = "/health", .total_timeout_ns = health_limit_ns, .stop = [this] {
                          return stop_ || has_ended();
                        }});
    if (stop_) throw experiment::stopped_sweep();
    if (has_ended()) throw base::error(end_text());
    if (got.ok() && got.status == ready) return;
    const auto elapsed = server_clock::now() - began;
    if (elapsed > std::chrono::seconds(limit_s))
      throw base::error(
          "the server " + name_ + " was not ready within " + std::to_string(limit_s) + " s: " +
          (got.ok() ? "GET " + address() + "/health has the status " + std::to_string(got.status)
                    : got.error) +
          "; give it more time by --server-ready-timeout, or see why in its log" +
          process_.last_lines_clause());
    // A quarter of the time so far, so that servers that start at once do not wait.
    const auto until =
        server_clock::now() +
        std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(elapsed / 4),
                   shortest_interval, longest_interval);
    while (!stop_ && server_clock::now() < until) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - server_clock::now());
      if (has_ended(std::clamp(left, std::chrono::milliseconds(0), look_for_end))) break;
    }
  }
}

std::string tuned_server::post(const std::string& path) {
  const base::monotonic_clock clock;
  const transport::fetch_result got = transport::fetch(clock, where_,
                                                       {.method = "POST",
                                                        .target = path,
                                                        .total_timeout_ns = post_limit_ns,
                                                        .max_error_bytes = 200,
                                                        .stop = [this] { return stop_.load(); }});
  if (stop_) throw experiment::stopped_sweep();
  if (!got.ok()) return got.error;
  if (got.status < no_success) return {};
  return "POST " + address() + path + " has the status " + std::to_string(got.status);
}

bool tuned_server::has_ended(std::chrono::milliseconds grace) {
  if (!status_) status_ = process_.wait_until(server_clock::now() + grace);
  return status_.has_value();
}

std::string tuned_server::end_text() const {
  return "the server " + name_ + " ended with " + supervise::status_text(status_.value_or(0)) +
         process_.last_lines_clause();
}

}  // namespace inferbench::tune

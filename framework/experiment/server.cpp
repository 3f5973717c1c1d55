#include "experiment/server.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/cache_reset.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_failures.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/fetch.hpp"
#include "transport/listening.hpp"
#include "transport/server_address.hpp"

namespace inferbench::experiment {

namespace {

using steady_clock = supervise::supervised_process::time_point::clock;

constexpr std::uint64_t health_limit_ns = 5 * base::ns_per_s;
constexpr auto stop_look_interval = std::chrono::milliseconds(100);
constexpr auto shortest_poll_interval = std::chrono::milliseconds(10);
constexpr std::size_t shown_server_lines = 20;
constexpr std::uint32_t ready_status = 200;

}  // namespace

struct server::state {
  explicit state(const server_setup& setup)
      : about(setup),
        name(base::one_line(setup.command.front())),
        where(transport::resolve(transport::server_address(setup.command))) {}

  void start() {
    if (about.with.stop) throw stopped_sweep();
    if (const std::string why = why_too_long(about.command); !why.empty()) throw base::error(why);
    transport::require_free(where);
    process.emplace(
        supervise::program{.words = about.command,
                           .extra_environment = {"VLLM_SERVER_DEV_MODE=1"},
                           .on_text = [this](supervise::stream from, std::string_view text) {
                             if (from == supervise::stream::error || about.with.show_stdout)
                               about.with.console.pass_on(from, text);
                           }});
  }

  void await_health() {
    const base::monotonic_clock clock;
    const auto began = steady_clock::now();
    for (;;) {
      const transport::fetch_result got = transport::fetch(
          clock, where, {.target = "/health", .total_timeout_ns = health_limit_ns, .stop = [this] {
                           return about.with.stop || has_ended({});
                         }});
      if (about.with.stop) throw stopped_sweep();
      require_alive({}, " before it was ready");
      if (got.ok() && got.status == ready_status) return;
      const std::chrono::duration<double> elapsed = steady_clock::now() - began;
      if (elapsed.count() > static_cast<double>(about.ready_timeout_s)) fail_unready(got);
      wait(elapsed);
    }
  }

  /// Waits for the next look at the server's health, but not longer than the server lives.
  void wait(std::chrono::duration<double> elapsed) {
    const auto part = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed / 4);
    const auto until =
        steady_clock::now() + std::min(about.poll_interval, std::max(shortest_poll_interval, part));
    do {
      if (about.with.meanwhile) about.with.meanwhile();
      if (about.with.stop) throw stopped_sweep();
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now());
      if (has_ended(std::clamp(left, std::chrono::milliseconds(0), stop_look_interval))) return;
    } while (steady_clock::now() < until);
  }

  [[nodiscard]] bool has_ended(std::chrono::milliseconds grace) {
    return process->wait_until(steady_clock::now() + grace).has_value();
  }

  void require_alive(std::chrono::milliseconds grace, const char* when) {
    const std::optional<int> status = process->wait_until(steady_clock::now() + grace);
    if (!status) return;
    throw base::error("the server " + name + " ended with " + supervise::status_text(*status) +
                      when + last_lines());
  }

  [[noreturn]] void fail_unready(const transport::fetch_result& last) const {
    throw base::error("the server " + name + " was not ready within " +
                      std::to_string(about.ready_timeout_s) + " s: " +
                      (last.ok() ? "GET " + where.where.text() + "/health has the status " +
                                       std::to_string(last.status)
                                 : last.error) +
                      "; give it more time by --server-ready-timeout (in TOML: ready-timeout), or "
                      "see why in its log" +
                      last_lines());
  }

  [[nodiscard]] std::string last_lines() const {
    const std::string lines = process->last_lines(shown_server_lines);
    return lines.empty() ? "; it has printed nothing" : "; the last lines of its output:\n" + lines;
  }

  server_setup about;
  std::string name;
  transport::endpoint where;
  std::optional<supervise::supervised_process> process;  // last: its thread uses `about`
};

server::server(const server_setup& setup) : state_(std::make_unique<state>(setup)) {
  state_->start();
  state_->await_health();
}

server::~server() = default;

std::string server::address() const { return state_->where.where.text(); }

void server::require_alive(std::chrono::milliseconds grace) { state_->require_alive(grace, ""); }

void server::reset_caches() {
  experiment::reset_caches(state_->about.command, state_->where, state_->about.with);
}

}  // namespace inferbench::experiment

#include "startup/server_start.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "startup/poll_interval.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/fetch.hpp"
#include "transport/listening.hpp"

namespace inferbench::startup {

namespace {

using supervised = supervise::supervised_process;

constexpr std::uint64_t longest_look_ns = 5 * base::ns_per_s;
constexpr std::uint64_t stop_look_ns = 50 * base::ns_per_ms;
constexpr std::uint64_t free_limit_ns = 10 * base::ns_per_s;
constexpr std::uint64_t death_grace_ns = 500 * base::ns_per_ms;
constexpr std::size_t shown_lines_of_start = 20;

struct ready_look {
  transport::fetch_result got;
  std::string path;
};

bool is_2xx(const transport::fetch_result& got) { return got.ok() && got.status / 100 == 2; }

bool has_no_such_path(const transport::fetch_result& got) {
  return got.ok() && (got.status == 404 || got.status == 405 || got.status == 501);
}

std::string seconds_text(std::uint64_t ns) {
  std::string out = base::shortest(static_cast<double>(ns) / base::ns_per_s);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out + " s";
}

/// One start of one server.
class start_in_progress {
 public:
  start_in_progress(const server_start_setup& setup, const base::clock& clock,
                    const std::atomic<bool>& stop)
      : setup_(setup), clock_(clock), stop_(stop), name_(base::one_line(setup.command.front())) {}

  server_start_times measure() {
    end_if_stopped();
    transport::require_free(setup_.where);
    start();
    await_listening();
    await_ready();
    if (setup_.first_token) await_token();
    end_server();
    await_free();
    return std::move(times_);
  }

 private:
  void start() {
    process_.emplace(
        supervise::program{.words = setup_.command, .extra_environment = setup_.extra_environment});
    times_.started_ns = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(process_->started().time_since_epoch()).count());
  }

  void await_listening() {
    times_.listening.earliest_ns = times_.started_ns;
    for (;;) {
      const std::uint64_t asked = clock_.now();
      if (transport::accepts(setup_.where)) break;
      times_.listening.earliest_ns = asked;
      if (elapsed() > setup_.timeout_ns) fail_late("does not listen at " + url());
      wait(listening_interval(elapsed()));
    }
    times_.listening.at_ns = clock_.now();
  }

  void await_ready() {
    times_.ready.earliest_ns = times_.listening.earliest_ns;
    std::string state;
    for (;;) {
      const std::uint64_t asked = clock_.now();
      ready_look look = look_at(setup_.ready_path.value_or("/health"));
      if (!setup_.ready_path && has_no_such_path(look.got)) {
        ready_look other = look_at("/v1/models");
        if (is_2xx(other.got)) look = std::move(other);
      }
      if (is_2xx(look.got)) {
        times_.ready_path = std::move(look.path);
        break;
      }
      require_running("before it was ready", 0);
      times_.ready.earliest_ns = asked;
      // A look that the end of the time has cut short says less than the look before it.
      if (look.got.ok())
        state = "GET " + url() + look.path + " has the status " + std::to_string(look.got.status);
      else if (state.empty() || !look.got.timed_out)
        state = look.got.error;
      if (elapsed() > setup_.timeout_ns) fail_late("is not ready: " + state);
      wait(ready_interval(elapsed()));
    }
    times_.ready.at_ns = clock_.now();
  }

  ready_look look_at(const std::string& path) {
    const std::uint64_t taken = elapsed();
    const std::uint64_t left = taken < setup_.timeout_ns ? setup_.timeout_ns - taken : 1;
    transport::fetch_result got = transport::fetch(
        clock_, setup_.where,
        {.target = path, .total_timeout_ns = std::min(longest_look_ns, left), .stop = [this] {
           return stop_ || has_ended(0);
         }});
    end_if_stopped();
    return {std::move(got), path};
  }

  void await_token() {
    const auto stopped = [this] { return stop_ || has_ended(0); };
    const std::string model = setup_.model.empty()
                                  ? first_model(setup_.where, setup_.api_key, stopped, clock_)
                                  : setup_.model;
    end_if_stopped();
    first_token got;
    if (model.empty()) {
      got.error = "GET " + url() + "/v1/models lists no model for the request";
    } else {
      const std::uint64_t taken = elapsed();
      got = fetch_first_token(
          setup_.where,
          {.model = model,
           .api_key = setup_.api_key,
           .timeout_ns = taken < setup_.timeout_ns ? setup_.timeout_ns - taken : 1,
           .stop = stopped},
          clock_);
    }
    end_if_stopped();
    // A server that dies breaks its connections some time before its process is gone.
    if (!got.error.empty())
      require_running("during its first request",
                      got.answered || model.empty() ? 0 : death_grace_ns);
    times_.token = std::move(got);
  }

  void end_server() {
    const std::uint64_t began = clock_.now();
    process_->signal(SIGTERM);
    while (!has_ended(stop_look_ns)) {
      end_if_stopped();
      if (clock_.now() - began <= setup_.stop_timeout_ns) continue;
      process_->kill();
      times_.killed = true;
      break;
    }
    times_.stop_ns = clock_.now() - began;
  }

  void await_free() {
    const std::uint64_t began = clock_.now();
    while (transport::accepts(setup_.where)) {
      end_if_stopped();
      if (clock_.now() - began > free_limit_ns)
        throw base::error(
            "somebody still listens at " + url() + " after the server " + name_ + " has ended",
            "the command must keep the server in the foreground: end the other "
            "process, and measure a command that does not leave it behind");
      std::this_thread::sleep_for(std::chrono::nanoseconds(stop_look_ns));
    }
  }

  /// Waits, but not longer than the server lives.
  void wait(std::uint64_t ns) {
    const std::uint64_t until = clock_.now() + ns;
    for (;;) {
      end_if_stopped();
      const std::uint64_t now = clock_.now();
      if (now >= until) return;
      require_running("before it was ready", std::min(until - now, stop_look_ns));
    }
  }

  bool has_ended(std::uint64_t within_ns) {
    status_ = process_->wait_until(supervised::time_point::clock::now() +
                                   std::chrono::nanoseconds(within_ns));
    return status_.has_value();
  }

  void require_running(std::string_view when, std::uint64_t within_ns) {
    if (has_ended(within_ns))
      throw base::error("the server " + name_ + " ended with " + supervise::status_text(*status_) +
                        " " + std::string(when) + last_lines());
  }

  [[noreturn]] void fail_late(const std::string& state) const {
    throw base::error("the server " + name_ + " has not started within " +
                      seconds_text(setup_.timeout_ns) + ": it " + state +
                      "; give it more time by --startup-timeout, or see why in its output" +
                      last_lines());
  }

  void end_if_stopped() const {
    if (stop_) throw base::error("the measurement was stopped before it was complete");
  }

  [[nodiscard]] std::uint64_t elapsed() const { return clock_.now() - times_.started_ns; }
  [[nodiscard]] std::string url() const { return setup_.where.where.text(); }

  [[nodiscard]] std::string last_lines() const {
    const std::string lines = process_->last_lines(shown_lines_of_start);
    return lines.empty() ? "; it has printed nothing" : "; the last lines of its output:\n" + lines;
  }

  const server_start_setup& setup_;
  const base::clock& clock_;
  const std::atomic<bool>& stop_;
  std::string name_;
  server_start_times times_;
  std::optional<int> status_;
  std::optional<supervised> process_;
};

}  // namespace

server_start_times measure_server_start(const server_start_setup& setup, const base::clock& clock,
                                        const std::atomic<bool>& stop) {
  if (setup.command.empty()) throw base::error("there is no server to start");
  return start_in_progress(setup, clock, stop).measure();
}

}  // namespace inferbench::startup

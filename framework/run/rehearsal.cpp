#include "run/rehearsal.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "run/progress.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {

namespace {

constexpr std::uint64_t pause_ns = 5 * base::ns_per_s;  // pause between two attempts of the ready
                                                        // check
constexpr std::uint64_t tick_ns = base::ns_per_s / 20;
constexpr std::uint64_t least_attempt_ns = base::ns_per_s / 2;
constexpr std::uint64_t profiler_ns = 60 * base::ns_per_s;  // time-out of /start_profile

/// Sends the sample `count` times and waits for the records. While it waits, it calls `tick` about
/// twenty times a second. Throws base::error if the user stops the program.
std::vector<client::record> send(const rehearsal& with, const client::backend& protocol,
                                 const ifb_sample& sample, std::uint64_t count,
                                 std::optional<std::int64_t> concurrency,
                                 const std::function<void(const traffic_counts&)>& tick) {
  repeated_sample jobs(sample, count, with.clock.now());
  std::vector<client::record> records;  // must outlive the threads that fill it, so it is declared
                                        // before `requests`
  traffic requests(with.clock, protocol, jobs, {.max_concurrency = concurrency});
  requests.start([&](std::size_t, client::record&& r) { records.push_back(std::move(r)); },
                 [](std::size_t) {});
  requests.begin();
  wait_for(requests, with, tick);
  return records;
}

/// The last line of a Python traceback has the message.
std::string_view last_line(std::string_view error) {
  error = base::trim(error);
  return error.substr(error.rfind('\n') + 1);
}

void wait_until_ready(const rehearsal& with, const ifb_sample& sample) {
  const std::uint64_t limit = with.wanted.ready_check_timeout_ns;
  with.out.line(
      fmt::format("Waiting for endpoint to become up in {} seconds", limit / base::ns_per_s));
  client::backend protocol = with.protocol;
  progress_bar bar(true);  // true: the bar is shown even with --disable-tqdm
  const beside_log_lines beside(with.log, bar);
  const std::uint64_t began = with.clock.now();
  const std::uint64_t deadline = began + limit;
  const auto tick = [&] { bar.draw_countdown(with.clock.now() - began, limit); };
  for (;;) {
    // Limit an attempt to the time left: a server that accepts the request but does not answer must
    // not delay the run.
    const std::uint64_t now = with.clock.now();
    protocol.request_timeout_ns = deadline > now ? deadline - now : 1;
    const auto records = send(with, protocol, sample, 1, 1, [&](const traffic_counts&) { tick(); });
    if (records.front().ok()) break;
    const std::string why(last_line(records.front().error));
    const std::uint64_t after = with.clock.now();
    // The pause is shortened so that the last attempt begins before the deadline. After the last
    // attempt, wait until the deadline.
    const bool last = after + least_attempt_ns >= deadline;
    if (!last) with.log.warning("not ready yet: " + why);
    const std::uint64_t next =
        last ? deadline : std::min(after + pause_ns, deadline - least_attempt_ns);
    for (std::uint64_t at = after; at < next; at = with.clock.now()) {
      tick();
      if (with.signals.wait(std::chrono::nanoseconds(std::min(next - at, tick_ns))))
        with.signals.end_set_up();
    }
    if (last)
      throw base::error(
          fmt::format("the server was not ready within {} s: {}", limit / base::ns_per_s, why),
          "start it, check --base-url and --endpoint, or give it longer with "
          "--ready-check-timeout-sec");
  }
  bar.end();
  with.out.line("Initial test run completed.");
}

}  // namespace

void wait_for(traffic& requests, const rehearsal& with,
              const std::function<void(const traffic_counts&)>& tick) {
  for (unsigned turn = 0; !requests.over(); ++turn) {
    if (with.signals.wait(std::chrono::milliseconds(1))) {
      if (with.stopping) with.stopping();
      with.signals.end_set_up();
    }
    if (turn % 50 == 0) tick(requests.counts());
  }
  requests.join();
}

void check_readiness(const rehearsal& with, const dataset::sample& first) {
  with.out.line("Starting initial single prompt test run...");
  if (with.wanted.ready_check_timeout_ns > 0)
    wait_until_ready(with, first.c);
  else
    with.out.line("Skipping endpoint ready check.");
}

void warm_up(const rehearsal& with, const dataset::sample& first) {
  if (with.wanted.num_warmups <= 0) return;
  const auto count = static_cast<std::uint64_t>(with.wanted.num_warmups);
  with.out.line(fmt::format("Warming up with {} requests...", count));
  progress_bar bar(with.progress);
  const beside_log_lines beside(with.log, bar);
  const std::uint64_t began = with.clock.now();
  std::ignore = send(with, with.protocol, first.c, count, with.max_concurrency,
                     [&](const traffic_counts& now) {
                       bar.draw({count, now.finished, now.failed, now.started - now.finished,
                                 with.clock.now() - began});
                     });
  bar.end();
  with.out.line("Warmup run completed.");
}

profiling::profiling(const config::preparation& wanted, const services::target& server,
                     interrupt& signals, base::log& log, services::console& out)
    : wanted_(wanted.profile && !wanted.profile_batch_threshold),
      server_(server),
      signals_(signals),
      log_(log),
      out_(out) {
  if (!wanted_) return;
  const std::size_t all = server_.endpoints().size();
  const std::size_t told = tell(all, "/start_profile", "Starting profiler...", "Profiler started");
  if (told == all) return;
  if (told != 0) tell(told, "/stop_profile", "Stopping profiler...", "Profiler stopped");
  signals_.end_set_up();
}

profiling::~profiling() {
  if (!wanted_) return;
  try {
    tell(server_.endpoints().size(), "/stop_profile", "Stopping profiler...", "Profiler stopped");
  } catch (const std::exception& e) {
    log_.warning(e.what());
  }
}

/// Sends a POST to `path` of the first `servers` servers. A signal stops this. Returns the number
/// of servers that were done before the signal.
std::size_t profiling::tell(std::size_t servers, const char* path, const char* doing,
                            const char* done) {
  out_.line(doing);
  bool all = true;
  const auto stop = [this] { return signals_.wait(std::chrono::nanoseconds(0)); };
  for (std::size_t i = 0; i < servers; ++i) {
    const auto answer = server_.fetch("POST", path, {}, profiler_ns, i, stop);
    if (answer.ok() && answer.status == 200) continue;
    if (answer.stopped) return i;
    all = false;
    const std::string& which = server_.endpoints()[i].where.text();
    log_.warning(answer.ok() ? fmt::format("{}{} answered HTTP {} {}", which, path, answer.status,
                                           answer.reason)
                             : answer.error);
  }
  if (all) out_.line(done);
  return servers;
}

}  // namespace inferbench::run

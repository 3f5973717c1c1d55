#include "experiment/cache_reset.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/sweep_failures.hpp"
#include "transport/fetch.hpp"

namespace inferbench::experiment {

namespace {

constexpr std::string_view after_bench_remedy = "give --after-bench-cmd (in TOML: after-bench)";

// The server may finish its last steps before it answers.
constexpr std::uint64_t reset_limit_ns = 60 * base::ns_per_s;
constexpr std::uint32_t first_status_that_is_no_success = 300;

/// Whether the server is `inferbench simulate`, which has the endpoints of vllm.
bool is_simulator(const std::vector<std::string>& server_command) {
  return server_command.size() > 1 && server_command[1] == "simulate" &&
         server_command.front().ends_with("inferbench");
}

/// Whether the server has caches that requests empty.
bool resets_by_requests(const std::vector<std::string>& server_command) {
  const std::string& program = server_command.front();
  if (program.ends_with("vllm") || is_simulator(server_command)) return true;
  if (!program.ends_with("infinity_emb"))
    throw base::error("the caches of the server " + base::one_line(program) +
                          " cannot be reset by inferbench, which knows only vllm, infinity_emb and "
                          "inferbench simulate",
                      std::string(after_bench_remedy) +
                          ", a command that resets them, or `true` if there is nothing to reset");
  if (std::ranges::find(server_command, "--vector-disk-cache") != server_command.end())
    throw base::error("the disk cache of infinity_emb (--vector-disk-cache) cannot be reset",
                      "remove --vector-disk-cache, or " + std::string(after_bench_remedy));
  return false;
}

void require_success(const transport::fetch_result& got, const std::string& url) {
  if (!got.ok())
    throw base::error("the caches of the server were not reset: " + got.error,
                      "see the server's log");
  if (got.status < first_status_that_is_no_success) return;
  const std::string text(base::trim(got.body));
  throw base::error(
      "the caches of the server were not reset: POST " + url + " has the status " +
          std::to_string(got.status) + (text.empty() ? "" : ", \"" + base::one_line(text) + "\""),
      "if this server resets its caches in another way, " + std::string(after_bench_remedy));
}

}  // namespace

void require_reset(const std::vector<std::string>& server_command) {
  static_cast<void>(resets_by_requests(server_command));
}

void reset_caches(const std::vector<std::string>& server_command, const transport::endpoint& where,
                  const command_surroundings& with) {
  if (!resets_by_requests(server_command)) return;
  const std::string address = where.where.text();
  with.console.line("Resetting caches at " + address);
  const base::monotonic_clock clock;
  for (const char* path : cache_resets) {
    const transport::fetch_result got =
        transport::fetch(clock, where,
                         {.method = "POST",
                          .target = path,
                          .total_timeout_ns = reset_limit_ns,
                          .max_error_bytes = 200,
                          .stop = [&with] { return with.stop.load(); }});
    if (with.stop) throw stopped_sweep();
    require_success(got, address + path);
  }
}

}  // namespace inferbench::experiment

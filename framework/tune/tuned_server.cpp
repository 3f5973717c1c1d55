#include "tune/tuned_server.hpp"

#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "experiment/sweep_failures.hpp"
#include "supervise/supervised_process.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"

namespace inferbench::tune {

namespace {

// The server may finish its last steps before it answers.
constexpr std::uint64_t post_limit_ns = 60 * base::ns_per_s;
constexpr std::uint32_t no_success = 300;

}  // namespace

tuned_server::tuned_server(const tuned_server_setup& setup)
    : tuned_server(experiment::free_address(setup.words, setup.stop), setup) {}

tuned_server::tuned_server(transport::endpoint where, const tuned_server_setup& setup)
    : stop_(setup.stop),
      log_(setup.log),
      process_(std::move(where),
               {.words = setup.words,
                .extra_environment = setup.variables,
                .on_text = [this](supervise::stream, std::string_view text) { log_.write(text); }},
               setup.stop) {
  process_.await_health({.limit_s = setup.ready_timeout_s, .setting = "--server-ready-timeout"});
}

std::string tuned_server::post(const std::string& path) const {
  const base::monotonic_clock clock;
  const transport::fetch_result got = transport::fetch(clock, process_.where(),
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

}  // namespace inferbench::tune

#include "run/prefix_cache_reset.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::run {

namespace {

constexpr const char* reset_path = "/reset_prefix_cache";
// A server that has just ended other requests may finish its last steps before it answers.
constexpr std::uint64_t cache_reset_limit_ns = 60 * base::ns_per_s;
constexpr std::size_t most_quoted = 200;  // characters of an error answer

}  // namespace

void reset_prefix_caches(const services::target& servers, interrupt& signals) {
  const auto stop = [&signals] { return signals.wait(std::chrono::nanoseconds(0)); };
  for (std::size_t i = 0; i < servers.endpoints().size(); ++i) {
    const auto got = servers.fetch("POST", reset_path, {}, cache_reset_limit_ns, i, stop);
    if (got.stopped) signals.end_set_up();
    if (got.ok() && got.status >= 200 && got.status < 300) continue;
    const std::string where = servers.endpoints()[i].where.text() + reset_path;
    if (!got.ok())
      throw base::error("the prefix cache was not emptied: " + got.error,
                        "start the server, or leave out --reset-prefix-cache");
    const std::string said = base::one_line(base::trim(got.body).substr(0, most_quoted));
    throw base::error(fmt::format("the prefix cache was not emptied: POST {} has the status {}{}",
                                  where, got.status, said.empty() ? "" : ", \"" + said + "\""),
                      "vllm has this path if VLLM_SERVER_DEV_MODE is 1; or leave out "
                      "--reset-prefix-cache");
  }
}

}  // namespace inferbench::run

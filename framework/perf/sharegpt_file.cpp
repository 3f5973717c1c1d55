#include "perf/sharegpt_file.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "options/node.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;
using options::node;

constexpr const char* hub_path =
    "/datasets/anon8231489123/ShareGPT_Vicuna_unfiltered/resolve/main/";
constexpr const char* file_remedy = "download the file yourself, or correct its path in the test";

/// The first value in the options that names the file and is not there.
std::optional<std::string> missing_in(const node& options) {
  for (const node& each : options.items) {
    std::error_code unknown;
    if (each.is(node::kind::text) && fs::path(each.text).filename() == sharegpt_name &&
        !fs::exists(each.text, unknown))
      return each.text;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> missing_sharegpt(const chosen_tests& tests) {
  for (const serving_test& each : tests.serving)
    if (auto found = missing_in(each.client); found) return found;
  for (const auto* const group : {&tests.latency, &tests.startup, &tests.throughput})
    for (const offline_test& each : *group)
      if (auto found = missing_in(each.parameters); found) return found;
  return std::nullopt;
}

void download_sharegpt(const std::string& hub, const std::string& path,
                       const std::atomic<bool>& stop) {
  const transport::endpoint where = transport::resolve(transport::parse_url(hub));
  const std::string part = path + ".part";
  std::ofstream to(part, std::ios::binary | std::ios::trunc);
  if (!to) throw base::error("cannot write " + part, file_remedy);
  const base::monotonic_clock clock;
  const transport::fetch_result got =
      transport::fetch(clock, where,
                       {.target = std::string(hub_path) + sharegpt_name,
                        .total_timeout_ns = 0,
                        .max_body_bytes = std::numeric_limits<std::size_t>::max(),
                        .on_body = [&to](std::string_view piece, std::uint64_t) { to << piece; },
                        .stop = [&stop] { return stop.load(); }});
  to.close();
  std::error_code problem;
  std::string why;
  if (!got.ok())
    why = got.error;
  else if (got.status != 200)
    why = where.where.text() + " has answered with the status " + std::to_string(got.status);
  else if (!to)
    why = "cannot write " + part;
  else
    fs::rename(part, path, problem);
  if (problem) why = "cannot write " + path + ": " + problem.message();
  if (why.empty()) return;
  fs::remove(part, problem);
  throw base::error("there is no " + path + ", and it cannot be downloaded: " + why, file_remedy);
}

}  // namespace inferbench::perf

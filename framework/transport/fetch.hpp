// One request, blocking, outside the measurement: model discovery, tokenize, metrics. Has its own
// connections and event loop; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "transport/resolver.hpp"

namespace inferbench::transport {

struct fetch_request {
  std::string method = "GET";
  std::string target;  // appended to the path of the endpoint's URL
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string_view body{};
  std::uint64_t connect_timeout_ns = 10 * base::ns_per_s;
  std::uint64_t total_timeout_ns = 60 * base::ns_per_s;  // including the time to connect
  std::size_t max_body_bytes = 64 * 1024 * 1024;
  // Limits of an error answer; the rest of its body is left out.
  std::size_t max_error_bytes = 2048;
  std::uint64_t error_body_ns = 2 * base::ns_per_s;
  const route_options* routes = nullptr;  // for redirects to another server; null: without options
  // Called at the beginning and every 50 ms until the end; true stops the fetch. Must not throw.
  std::function<bool()> stop{};
  std::function<void()> on_slow{};  // called once if the fetch takes longer than slow_ns
  std::uint64_t slow_ns = 2 * base::ns_per_s;
};

/// Either `error` is set, or there is an answer, whatever its status.
struct fetch_result {
  std::uint32_t status = 0;
  std::string reason{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::string error{};   // a clause that names the URL and the reason
  std::string remedy{};  // advice for the user
  bool timed_out = false;
  bool stopped = false;  // by `stop`; `error` is set, too

  [[nodiscard]] bool ok() const noexcept { return error.empty(); }
};

/// A chunked or unbounded answer is read to its end. GET and HEAD follow up to five redirects (301,
/// 302, 303, 307, 308) within a scheme or from http to https; no `headers`, which may be secret,
/// are sent to another server. Throws base::error only if the process has no descriptors left.
[[nodiscard]] fetch_result fetch(const base::clock& clock, const endpoint& where,
                                 const fetch_request& what);

}  // namespace inferbench::transport

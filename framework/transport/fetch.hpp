// One request, blocking, outside all measurement: model discovery, tokenize, metrics.
// Connections and an event loop of its own; any thread.
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
  std::uint64_t total_timeout_ns = 60 * base::ns_per_s;  // connecting included
  std::size_t max_body_bytes = 64 * 1024 * 1024;
  // Limits of an error answer; more of its body, or later parts, are left out.
  std::size_t max_error_bytes = 2048;
  std::uint64_t error_body_ns = 2 * base::ns_per_s;
  const route_options* routes = nullptr;  // to where a redirect leads; null: without options
  // Looked at before it begins and every 50 ms until its end: true stops it. Must not throw.
  std::function<bool()> stop{};
  std::function<void()> on_slow{};  // once, where it takes longer than this
  std::uint64_t slow_ns = 2 * base::ns_per_s;
};

/// Either `error` is set, or there is an answer, whatever its status.
struct fetch_result {
  std::uint32_t status = 0;
  std::string reason{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::string error{};   // a clause that names the URL and the reason
  std::string remedy{};  // what to do about it
  bool timed_out = false;
  bool stopped = false;  // by `stop`; an error too

  [[nodiscard]] bool ok() const noexcept { return error.empty(); }
};

/// A chunked or unbounded answer is read to its end. GET and HEAD follow up to five
/// redirects (301, 302, 303, 307, 308) within a scheme or from http to https; another
/// server is sent none of `headers`, which may be secret. Throws base::error only where
/// the process has no descriptors left.
[[nodiscard]] fetch_result fetch(const base::clock& clock, const endpoint& where,
                                 const fetch_request& what);

}  // namespace inferbench::transport

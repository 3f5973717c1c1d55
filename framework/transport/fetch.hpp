// Makes one blocking request, for work outside the measurement: model discovery, tokenize, metrics.
// Each fetch has its own connections and event loop. Any thread.
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
  std::uint64_t total_timeout_ns = 60 * base::ns_per_s;  // including the time to connect; 0: no
                                                         // limit
  std::size_t max_body_bytes = 64 * 1024 * 1024;
  // Gets each piece of the body of an answer with a status of 200 to 299, and the stamp of its
  // read, while the answer comes; fetch_result::body stays empty then. Must not throw.
  std::function<void(std::string_view, std::uint64_t)> on_body{};
  // True: the body of an error answer (a status of 400 or more) is read like any other body. False:
  // the caller needs the status, so the body is read within the limits below and the rest of it is
  // left out, also if the body breaks off or is malformed.
  bool whole_errors = false;
  std::size_t max_error_bytes = 2048;
  std::uint64_t error_body_ns = 2 * base::ns_per_s;
  const route_options* routes = nullptr;  // options for redirects to another server; null: default
                                          // options
  // Called at the beginning and every 50 ms until the end. If it returns true, the fetch stops.
  // Must not throw.
  std::function<bool()> stop{};
  std::function<void()> on_slow{};  // called once if the fetch takes longer than slow_ns
  std::uint64_t slow_ns = 2 * base::ns_per_s;
};

/// Either `error` is set, or there is an answer with any status.
struct fetch_result {
  std::uint32_t status = 0;
  std::string reason{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::string error{};   // a clause that names the URL and the reason
  std::string remedy{};  // advice for the user
  bool timed_out = false;
  bool stopped = false;  // `stop` returned true; `error` is set, too

  [[nodiscard]] bool ok() const noexcept { return error.empty(); }
};

/// Makes the request and reads the answer to its end, even if its body is chunked or has no length.
/// GET and HEAD follow up to five redirects (301, 302, 303, 307, 308) within a scheme or from http
/// to https, but never to a unix socket. `headers` may be secret, so they are not sent to another
/// server. Throws base::error only if the process has no descriptors left.
[[nodiscard]] fetch_result fetch(const base::clock& clock, const endpoint& where,
                                 const fetch_request& what);

}  // namespace inferbench::transport

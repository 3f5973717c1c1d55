// Sends one HTTP request at a time through libcurl. Proxies, TLS and HTTP/2 are used as libcurl
// reads them from the environment. Redirects are not followed here, so that the owner of a secret
// decides who receives it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <inferbench/host.hpp>

#include "environment.hpp"

namespace hub {

struct http_request {
  std::string url;
  bool head = false;       // true: HEAD; false: GET
  std::string token;       // sent as bearer token; may be empty
  std::uint64_t from = 0;  // bytes that the caller already has: asks for the rest
};

struct http_answer {
  int status = 0;  // 0: there was no answer, and `trouble` contains the reason
  std::string trouble;
  bool is_temporary = false;  // the trouble may be temporary: a second attempt can succeed
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case

  /// Returns the value of a header; empty if there is no such header.
  [[nodiscard]] std::string header(std::string_view name) const;
  [[nodiscard]] bool is_redirect() const noexcept { return status >= 300 && status < 400; }
};

/// Receives the body piece by piece. The headers are already known. An exception that the sink
/// throws ends the request, and fetch() throws it again.
using body_sink = std::function<void(const http_answer& so_far, std::string_view bytes)>;

/// [one thread] Keeps its connection for the next request.
class http_client {
 public:
  http_client(ifb::host host, const environment& settings);
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// Throws ifb::failure (IFB_E_CANCELLED) if the run is being stopped.
  [[nodiscard]] http_answer fetch(const http_request& what, const body_sink& sink);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace hub

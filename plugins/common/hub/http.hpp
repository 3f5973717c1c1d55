// One HTTP request at a time, through libcurl: proxies, TLS and HTTP/2 as that library takes them
// from the environment. Redirects are not followed here, so that the owner of a secret decides who
// receives it.
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
  bool head = false;       // HEAD instead of GET
  std::string token;       // sent as bearer, or empty
  std::uint64_t from = 0;  // bytes that are there already: asks for the rest
};

struct http_answer {
  int status = 0;  // 0: there was none, `trouble` says why
  std::string trouble;
  bool may_pass = false;  // the trouble may be temporary: a second attempt can succeed
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case

  /// Empty if there is none.
  [[nodiscard]] std::string header(std::string_view name) const;
  [[nodiscard]] bool is_redirect() const noexcept { return status >= 300 && status < 400; }
};

/// Receives the body piece by piece, with the headers already known. An exception of it ends the
/// request and comes out of fetch().
using body_sink = std::function<void(const http_answer& so_far, std::string_view bytes)>;

/// [one thread] Keeps its connection for the next request.
class http_client {
 public:
  http_client(ifb::host host, const environment& settings);
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// Throws ifb::failure (IFB_E_CANCELLED) when the run is being stopped.
  [[nodiscard]] http_answer fetch(const http_request& what, const body_sink& sink);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace hub

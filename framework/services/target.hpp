// The servers under test, for the set-up: their addresses, the headers of every request, and the
// model that they serve. Also sends requests of plugins. Calls block; they are not part of the
// measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "config/plan.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"
#include "transport/tls_context.hpp"
#include "transport/url.hpp"

namespace inferbench::services {

class target {
 public:
  /// Resolves the base URLs; there may be none if only send_to() is used. Throws base::error for a
  /// bad URL, an unknown host, and TLS or a proxy that cannot be set up. If `log` is given, it gets
  /// a message if an answer takes longer than `slow_ns`.
  target(const config::server& server, const base::clock& clock, base::log* log = nullptr,
         std::uint64_t slow_ns = 2 * base::ns_per_s);

  /// One endpoint for each base URL, in their order.
  [[nodiscard]] const std::vector<transport::endpoint>& endpoints() const noexcept {
    return endpoints_;
  }
  /// Authorization (if there is an API key), followed by the user's headers. Later headers have
  /// priority.
  [[nodiscard]] const config::fields& headers() const noexcept { return headers_; }

  /// Throws base::error unless each server accepts a connection within the connect time-out, with
  /// TLS if its URL is https. The error names the server that could not be reached.
  void check_reachable() const;

  /// Sends a request to one server, with API key and headers, and waits for the answer. The request
  /// ends early if `stop` returns true: see fetch_request. Any thread.
  [[nodiscard]] transport::fetch_result fetch(std::string method, std::string path,
                                              std::string_view body, std::uint64_t timeout_ns,
                                              std::size_t server = 0,
                                              std::function<bool()> stop = {}) const;

  /// A request of a plugin.
  struct request {
    std::string method;
    std::string target{};      // path and query; for send_to() a part of the URL instead
    config::fields headers{};  // if a name is repeated, the last value is sent
    std::string_view body{};
    std::uint64_t timeout_ns = 0;  // for the whole request; 0: no limit
  };
  /// Sends a request to the first server and waits for the whole answer, whatever its status is.
  /// API key and the user's headers are added; they have priority over `what.headers`. Any thread.
  [[nodiscard]] transport::fetch_result send(const request& what) const;
  /// Like send(), to any server: neither API key nor the user's headers are sent, because they
  /// belong to the server under test. The user's TLS settings, proxies and connect time-out apply.
  /// The address is looked up for each request. Any thread.
  [[nodiscard]] transport::fetch_result send_to(const transport::url& where,
                                                const request& what) const;

  /// The address and settings for connections to any server, with the user's TLS settings and
  /// proxies. Blocks in the look-up of the name. Throws base::error for an unknown host, and for a
  /// proxy that cannot be set up.
  [[nodiscard]] transport::endpoint endpoint_of(const transport::url& where) const;

  /// A page that is read again and again.
  struct page {
    transport::endpoint where;  // with the path of the page
    bool with_headers = false;  // API key and the user's headers: only for the servers under test
    std::uint64_t timeout_ns = 0;  // for the whole request
    std::size_t most_bytes = 0;    // a longer answer is an error
  };
  /// Sends GET for a page and waits for the answer, whatever its status is. Logs nothing. The
  /// request ends early if `stop` returns true. Does not throw. Any thread.
  [[nodiscard]] transport::fetch_result read(const page& what,
                                             std::function<bool()> stop = {}) const;

  struct model {
    std::string id;    // model name in the payload
    std::string root;  // model name for the result and the tokenizer; the id if unknown
  };
  /// The first entry of the first server's /v1/models. Throws base::error if there is no valid
  /// answer.
  [[nodiscard]] model discover_model() const;

 private:
  void settle(transport::fetch_request& what) const;
  [[nodiscard]] transport::fetch_request made_of(const request& what) const;
  [[nodiscard]] transport::fetch_result perform(const transport::endpoint& where,
                                                transport::fetch_request what) const;
  /// The TLS context for servers other than the servers under test.
  [[nodiscard]] std::shared_ptr<const transport::tls_context> tls() const;
  void tell_slow(const std::string& url) const;

  const base::clock& clock_;
  transport::route_options routes_;
  std::vector<transport::endpoint> endpoints_;
  config::fields headers_;
  std::uint64_t connect_timeout_ns_;
  base::log* log_;
  std::uint64_t slow_ns_;
  mutable std::mutex mutex_;
  // The members below are protected by mutex_.
  mutable std::map<std::string, std::uint64_t, std::less<>> told_;  // time of the latest message
                                                                    // for each URL
  mutable std::shared_ptr<const transport::tls_context> tls_;       // null: not needed so far
};

}  // namespace inferbench::services

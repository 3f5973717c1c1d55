// The servers under test, for the set-up: their addresses, the headers of every request, and the
// model that they serve. Calls block; they are not part of the measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

namespace inferbench::services {

class target {
 public:
  /// Resolves the base URLs. Throws base::error for a bad URL, an unknown host, and TLS or a proxy
  /// that cannot be set up. If `log` is given, it gets a message if an answer takes longer than
  /// `slow_ns`.
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

  /// Like fetch(), for a request of a plugin. An answer with a status other than 200 is kept for
  /// refusal(). Any thread.
  [[nodiscard]] transport::fetch_result fetch_for_plugin(std::string method, std::string path,
                                                         std::string_view body,
                                                         std::uint64_t timeout_ns) const;
  /// Describes the latest answer to a plugin whose status was not 200: "http://host:8000/tokenize
  /// answered HTTP 404 Not Found". Empty if there was no such answer. Needed because a plugin that
  /// fails for this reason may be unable to report it.
  [[nodiscard]] std::string refusal() const;

  struct model {
    std::string id;    // model name in the payload
    std::string root;  // model name for the result and the tokenizer; the id if unknown
  };
  /// The first entry of the first server's /v1/models. Throws base::error if there is no valid
  /// answer.
  [[nodiscard]] model discover_model() const;

 private:
  void tell_slow(const std::string& url) const;

  const base::clock& clock_;
  transport::route_options routes_;
  std::vector<transport::endpoint> endpoints_;
  config::fields headers_;
  std::uint64_t connect_timeout_ns_;
  base::log* log_;
  std::uint64_t slow_ns_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::uint64_t, std::less<>> told_;  // time of the latest message
                                                                    // for each URL
  mutable std::string refusal_;
};

}  // namespace inferbench::services

// The servers under test as set-up sees them: where they are, which headers go with
// every request, which model they serve. Blocking calls, outside all measurement.
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
  /// Resolves the base URLs. Throws base::error: a bad URL, no such host, TLS or a proxy
  /// that cannot be set up.
  /// `log`, where given, is told of what an answer takes long for; `slow_ns`: what is long.
  target(const config::plan& plan, const base::clock& clock, base::log* log = nullptr,
         std::uint64_t slow_ns = 2 * base::ns_per_s);

  /// One for each base URL, in their order.
  [[nodiscard]] const std::vector<transport::endpoint>& endpoints() const noexcept {
    return endpoints_;
  }
  /// Authorization (with a key) and the user's headers, in increasing priority.
  [[nodiscard]] const config::fields& headers() const noexcept { return headers_; }

  /// Throws base::error unless each server accepts a connection, with TLS where its URL
  /// says so, within the connect time-out. Names the one that does not.
  void check_reachable() const;

  /// Asks one server, with API key and headers, until `stop` says yes: see fetch_request.
  /// Any thread.
  [[nodiscard]] transport::fetch_result fetch(std::string method, std::string path,
                                              std::string_view body, std::uint64_t timeout_ns,
                                              std::size_t server = 0,
                                              std::function<bool()> stop = {}) const;

  /// The same for a plugin; an answer other than 200 is kept for refusal(). Any thread.
  [[nodiscard]] transport::fetch_result fetch_for_plugin(std::string method, std::string path,
                                                         std::string_view body,
                                                         std::uint64_t timeout_ns) const;
  /// "http://host:8000/tokenize answered HTTP 404 Not Found": the last answer to a plugin that was
  /// not 200; empty: none. A plugin that fails for it may have no way to say so itself.
  [[nodiscard]] std::string refusal() const;

  struct model {
    std::string id;    // what the payload names
    std::string root;  // what the result and the tokenizer go by; the id where unknown
  };
  /// The first entry of the first server's /v1/models. Throws base::error.
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
  mutable std::map<std::string, std::uint64_t, std::less<>> told_;  // when, of which URL
  mutable std::string refusal_;
};

}  // namespace inferbench::services

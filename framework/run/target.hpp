// The server under test as set-up sees it: where it is, which headers go with every
// request, which model it serves. Blocking calls, outside all measurement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "config/plan.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"

namespace inferbench::run {

class target {
 public:
  /// Resolves the base URL. Throws base::error: bad URL, no such host.
  target(const config::plan& plan, const base::clock& clock);

  [[nodiscard]] const transport::endpoint& endpoint() const noexcept { return endpoint_; }
  /// Authorization (with a key) and the user's headers, in increasing priority.
  [[nodiscard]] const config::fields& headers() const noexcept { return headers_; }

  /// Throws base::error unless the server accepts a connection within the connect
  /// time-out.
  void check_reachable() const;

  /// Any thread.
  [[nodiscard]] transport::fetch_result fetch(std::string method, std::string path,
                                              std::string_view body,
                                              std::uint64_t timeout_ns) const;

  struct model {
    std::string id;    // what the payload names
    std::string root;  // what the result and the tokenizer go by; the id where unknown
  };
  /// The first entry of /v1/models. Throws base::error.
  [[nodiscard]] model discover_model() const;

 private:
  const base::clock& clock_;
  transport::endpoint endpoint_;
  config::fields headers_;
  std::uint64_t connect_timeout_ns_;
};

}  // namespace inferbench::run

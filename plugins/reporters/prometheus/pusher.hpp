// Sends metrics to a Pushgateway through the HTTP service of the host.
#pragma once

#include <string>
#include <string_view>

#include <inferbench/host.hpp>

namespace reporters {

/// For one thread. A push that fails causes a warning, only once, and nothing else.
class pusher {
 public:
  /// `url`: the address of the Pushgateway, with user name and password if it needs them. They are
  /// sent as Basic authentication. The metrics go to the group /metrics/job/inferbench/instance/
  /// and `instance`, unless the URL contains a path with "/metrics/job/". Throws ifb::failure for a
  /// URL that is not of HTTP.
  pusher(ifb::host host, std::string_view url, std::string_view instance);

  /// Replaces all metrics of the group. Blocks for at most five seconds.
  void push(std::string_view text) noexcept;

  /// The address of the group, without user name and password.
  [[nodiscard]] const std::string& address() const noexcept { return address_; }

 private:
  void send(std::string_view text) const;

  ifb::host host_;
  std::string address_;
  std::string authorization_;  // the value of the header; empty: none
  bool warned_ = false;
};

}  // namespace reporters

// Decides whether requests to a URL go through a proxy, and selects the proxy. Used during set-up;
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transport/url.hpp"

namespace inferbench::transport {

/// The remedy in errors about a proxy.
inline constexpr std::string_view proxy_remedy =
    "check the proxy, and --proxy, $HTTP_PROXY, $HTTPS_PROXY and $NO_PROXY";

/// The settings of the user: --proxy or $HTTP_PROXY, $HTTPS_PROXY and $NO_PROXY.
struct proxy_settings {
  std::string http{};      // URL of the proxy for http:// servers; empty: no proxy
  std::string https{};     // URL of the proxy for https:// servers; empty: no proxy
  std::string no_proxy{};  // hosts that are contacted without a proxy, see goes_direct()
};

struct proxy {
  std::string host;
  std::uint16_t port = 0;
  std::string authorization{};  // value of Proxy-Authorization; empty: no such header

  /// Host and port of the proxy, without the password: "proxy.example:3128".
  [[nodiscard]] std::string text() const;
};

/// Parses "http://user:password@host:port". Scheme, user and port (default 80) may be missing; user
/// and password may be percent-encoded. Throws base::error for schemes other than http and for
/// texts that parse_url() refuses; the error never repeats the password.
[[nodiscard]] proxy parse_proxy(std::string_view text);

/// Whether an entry of `no_proxy`, a list separated by commas or blanks, matches the server. An
/// entry is a host or a domain, with or without a leading dot, that equals the host or its ending;
/// an IP address or a range such as 10.0.0.0/8 or fd00::/8; or "*", which matches all servers. An
/// entry that ends in :PORT matches only that port. 127.0.0.1 and localhost are not treated
/// specially.
[[nodiscard]] bool goes_direct(const url& server, std::string_view no_proxy);

/// The proxy for `server`; nullopt if there is no proxy. There is never a proxy for a unix socket.
[[nodiscard]] std::optional<proxy> proxy_for(const url& server, const proxy_settings& settings);

}  // namespace inferbench::transport

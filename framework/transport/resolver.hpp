// Resolves a URL to addresses and connection settings. This is done once for each run, so that
// requests do not wait for DNS.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/address.hpp"
#include "transport/proxy.hpp"
#include "transport/tls_context.hpp"
#include "transport/url.hpp"

namespace inferbench::transport {

/// A server, prepared for connections. Immutable; shared by the workers.
struct endpoint {
  url where;
  std::vector<address> addresses;            // at least one; if there is a proxy, the addresses of
                                             // the proxy
  std::shared_ptr<const tls_context> tls{};  // null: no TLS

  // The members below are set only if there is a proxy; otherwise they are empty.
  std::string proxy{};                // the proxy in messages: "proxy.example:3128"
  std::string tunnel{};               // for https: the CONNECT request that is sent first
  std::string absolute{};             // for http: text before the target, "http://host:8000"
  std::string proxy_authorization{};  // for http: value of the Proxy-Authorization header; may be
                                      // empty
};

/// Proxy and TLS settings.
struct route_options {
  proxy_settings proxies{};
  std::shared_ptr<const tls_context> tls{};  // null: if TLS is needed, a context with default
                                             // options is created
};

/// Resolves the URL `where`. Blocks in getaddrinfo. If there is a proxy, the proxy resolves the
/// server's name. Throws base::error for an unknown host (with the system's reason) and for a proxy
/// or TLS context that cannot be set up.
[[nodiscard]] endpoint resolve(const url& where, const route_options& routes = {});

}  // namespace inferbench::transport

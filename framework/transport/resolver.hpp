// Resolves a URL to addresses and connection settings, once per run: no request waits for DNS.
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
  std::vector<address> addresses;            // the proxy's, if there is one; at least one
  std::shared_ptr<const tls_context> tls{};  // null: plain

  // Set for a proxy, otherwise all empty.
  std::string proxy{};                // "proxy.example:3128"
  std::string tunnel{};               // https: the CONNECT request that is sent first
  std::string absolute{};             // http: put before the target, "http://host:8000"
  std::string proxy_authorization{};  // http: value of the Proxy-Authorization header; may be empty
};

/// Proxy and TLS settings.
struct route_options {
  proxy_settings proxies{};
  std::shared_ptr<const tls_context> tls{};  // null: a context without options is made if needed
};

/// Blocks in getaddrinfo. If there is a proxy, the proxy resolves the server's name. Throws
/// base::error for an unknown host (with the system's reason) and for a proxy or TLS context that
/// cannot be set up.
[[nodiscard]] endpoint resolve(const url& where, const route_options& routes = {});

}  // namespace inferbench::transport

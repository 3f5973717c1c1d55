// From a URL to what a connection needs, once per run: no request waits for DNS.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transport/address.hpp"
#include "transport/proxy.hpp"
#include "transport/tls_context.hpp"
#include "transport/url.hpp"

namespace inferbench::transport {

/// A server as connections see it. Immutable; workers share one.
struct endpoint {
  url where;
  std::vector<address> addresses;            // the proxy's, if there is one; at least one
  std::shared_ptr<const tls_context> tls{};  // null: plain

  // Through a proxy, else all empty.
  std::string proxy{};                // "proxy.example:3128"
  std::string tunnel{};               // https: the CONNECT request that goes first
  std::string absolute{};             // http: put before the target, "http://host:8000"
  std::string proxy_authorization{};  // http: value of that header; may be empty
};

/// How servers are reached.
struct route_options {
  proxy_settings proxies{};
  std::shared_ptr<const tls_context> tls{};  // null: one without options, made on demand
};

/// Blocks in getaddrinfo; the server's own name is left to the proxy, where there is
/// one. Throws base::error: no such host (with the system's reason), a proxy or TLS
/// that cannot be set up.
[[nodiscard]] endpoint resolve(const url& where, const route_options& routes = {});

}  // namespace inferbench::transport

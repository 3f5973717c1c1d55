#include "transport/resolver.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <netdb.h>
#include <netinet/in.h>

#include "base/error.hpp"

namespace inferbench::transport {

namespace {

/// Finds the addresses of `host`. `of` describes the owner of the host name in messages.
std::vector<address> look_up(const std::string& host, std::uint16_t port, const std::string& of) {
  // AI_ADDRCONFIG is not used: it hides ::1 and 127.0.0.1 on machines with only a loopback
  // interface. An address that cannot be reached costs one failed connect.
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) {
    const std::string reason = code == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(code);
    throw base::error("cannot find the host " + host + " of " + of + ": " + reason,
                      "check its name, and that this machine can look it up");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  std::vector<address> out;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (one->ai_family != AF_INET && one->ai_family != AF_INET6) continue;
    address next;
    std::memcpy(&next.storage, one->ai_addr, one->ai_addrlen);
    next.size = one->ai_addrlen;
    out.push_back(next);
  }
  if (out.empty())
    throw base::error("the host " + host + " of " + of + " has no IP address", "check its name");
  return out;
}

std::string connect_head(const url& server, const proxy& through) {
  const std::string name = server.host_and_port();
  std::string out = "CONNECT " + name + " HTTP/1.1\r\nHost: " + name + "\r\n";
  if (!through.authorization.empty())
    out += "Proxy-Authorization: " + through.authorization + "\r\n";
  return out + "\r\n";
}

}  // namespace

endpoint resolve(const url& where, const route_options& routes) {
  endpoint out{where, {}};
  if (where.tls) out.tls = routes.tls ? routes.tls : std::make_shared<const tls_context>();
  if (!where.socket.empty()) {
    out.addresses = {unix_address(where.socket)};
    return out;
  }
  const auto through = proxy_for(where, routes.proxies);
  if (!through) {
    out.addresses = look_up(where.host, where.port, where.text());
    return out;
  }
  out.proxy = through->text();
  out.addresses = look_up(through->host, through->port, "the proxy " + out.proxy);
  if (where.tls) {
    out.tunnel = connect_head(where, *through);
  } else {
    out.absolute = "http://" + where.authority();
    out.proxy_authorization = through->authorization;
  }
  return out;
}

}  // namespace inferbench::transport

#include "transport/resolver.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include "base/error.hpp"

namespace inferbench::transport {

std::string address::text() const {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getnameinfo(get(), size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown address";
  const bool ipv6 = family() == AF_INET6;
  std::string out(ipv6 ? "[" : "");
  return out.append(host.data()).append(ipv6 ? "]:" : ":").append(port.data());
}

endpoint resolve(const url& where) {
  if (where.tls)
    throw base::error("https is not supported by this build yet, asked for by " + where.text(),
                      "use http://, or a local proxy that speaks https to the server");
  // Without AI_ADDRCONFIG: it hides ::1 and 127.0.0.1 on machines that have nothing
  // but loopback. An address that cannot be reached costs one failed connect.
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code =
      ::getaddrinfo(where.host.c_str(), std::to_string(where.port).c_str(), &hints, &found);
  if (code != 0) {
    const std::string reason = code == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(code);
    throw base::error("cannot find the host " + where.host + " of " + where.text() + ": " + reason,
                      "check its name, and that this machine can look it up");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  endpoint out{where, {}};
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    if (one->ai_family != AF_INET && one->ai_family != AF_INET6) continue;
    address next;
    std::memcpy(&next.storage, one->ai_addr, one->ai_addrlen);
    next.size = one->ai_addrlen;
    out.addresses.push_back(next);
  }
  if (out.addresses.empty())
    throw base::error("the host " + where.host + " of " + where.text() + " has no IP address",
                      "check its name");
  return out;
}

}  // namespace inferbench::transport

#include "transport/listening.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <poll.h>
#include <sys/socket.h>

#include "base/error.hpp"
#include "base/fd.hpp"

namespace inferbench::transport {

namespace {

constexpr int taken_limit_ms = 1000;

/// Whether the socket is connected to itself. If nobody listens at a port from which the system
/// takes the ports of clients, a connection may get this port at its own end, and TCP connects
/// both.
bool meets_itself(int socket) {
  sockaddr_storage own{};
  sockaddr_storage other{};
  socklen_t own_size = sizeof own;
  socklen_t other_size = sizeof other;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) == 0 &&
         ::getpeername(socket, reinterpret_cast<sockaddr*>(&other), &other_size) == 0 &&
         own.ss_family != AF_UNIX && own_size == other_size &&
         std::memcmp(&own, &other, own_size) == 0;
}

bool accepts_at(const address& where) {
  const base::fd socket(::socket(where.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return false;
  if (::connect(socket.get(), where.get(), where.size) == 0) return !meets_itself(socket.get());
  // A unix socket whose queue is full belongs to a server that listens.
  if (errno == EAGAIN && where.family() == AF_UNIX) return true;
  if (errno != EINPROGRESS) return false;
  pollfd waiting{socket.get(), POLLOUT, 0};
  if (::poll(&waiting, 1, taken_limit_ms) != 1) return false;
  int why = 0;
  socklen_t size = sizeof why;
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &why, &size) == 0 && why == 0 &&
         !meets_itself(socket.get());
}

}  // namespace

bool accepts(const endpoint& where) { return std::ranges::any_of(where.addresses, accepts_at); }

void require_free(const endpoint& where) {
  if (!accepts(where)) return;
  const std::string what = "another process listens at " + where.where.text() + " already";
  if (!where.where.socket.empty())
    throw base::error(what, "end it (`ss -lxp` shows it), or give the server another socket");
  const std::string port = std::to_string(where.where.port);
  throw base::error(what, "end it (`ss -ltnp sport = :" + port +
                              "` shows it), or give the server another --port");
}

}  // namespace inferbench::transport

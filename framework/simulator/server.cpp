#include "simulator/server.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/limits.hpp"
#include "base/log.hpp"
#include "simulator/service.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::simulator {

namespace {

constexpr const char* own_addresses = "use 127.0.0.1, ::1 or 0.0.0.0";
constexpr int accepts_a_turn = 64;
constexpr std::uint64_t pause_ns = 100 * base::ns_per_ms;

std::string because(int code) { return std::generic_category().message(code); }

base::fd listen_on(const options& settings) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure =
      ::getaddrinfo(settings.host.c_str(), std::to_string(settings.port).c_str(), &wanted, &found);
  if (failure != 0)
    throw base::error(
        "\"" + settings.host + "\" is not an address of this machine: " + ::gai_strerror(failure),
        own_addresses, {"--host"});
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  base::fd socket(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  // Accepted sockets inherit TCP_NODELAY, which saves a system call for each connection.
  if (!socket || ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      ::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0) {
    const int code = errno;
    const std::string what = "cannot listen on " + settings.host + " port " +
                             std::to_string(settings.port) + ": " + because(code);
    if (code == EADDRNOTAVAIL) throw base::error(what, own_addresses, {"--host"});
    throw base::error(what,
                      code == EADDRINUSE ? "stop what listens there, or use --port 0"
                      : code == EACCES   ? "use a port from 1024 on, or --port 0"
                                         : "",
                      {"--port"});
  }
  return socket;
}

std::uint16_t port_of(int socket) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size);
  in_port_t port = 0;
  if (at.ss_family == AF_INET6)
    port = reinterpret_cast<const sockaddr_in6*>(&at)->sin6_port;
  else
    port = reinterpret_cast<const sockaddr_in*>(&at)->sin_port;
  return ntohs(port);
}

}  // namespace

struct server::state final : transport::watcher {
  state(const options& wanted, const base::clock& clock, base::log& out, media_inspector inspect)
      : settings(wanted),
        log(out),
        listener(listen_on(settings)),
        port(port_of(listener.get())),
        loop(clock),
        answers(settings, loop, log, std::move(inspect)),
        pause(transport::timer::action::to<&state::on_pause_end>(*this)) {
    base::raise_descriptor_limit();
    if (!loop.add(listener.get(), EPOLLIN, *this))
      throw base::error("cannot watch the listening socket: " + because(errno));
  }
  ~state() {
    if (!pause.armed()) loop.remove(listener.get(), *this);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  void on_ready(std::uint32_t, std::uint64_t) override {
    for (int i = 0; i < accepts_a_turn; ++i) {
      base::fd socket(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (socket) {
        answers.adopt(std::move(socket));
        continue;
      }
      if (errno == EAGAIN) return;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // Out of descriptors or memory: the listening socket stays ready, and another attempt without
      // a pause would be a busy loop.
      if (!std::exchange(warned, true))
        log.warning("cannot accept a connection: " + because(errno) +
                    "; raise the limit of open files (ulimit -n)");
      loop.remove(listener.get(), *this);
      loop.arm(pause, loop.clock().now() + pause_ns);
      return;
    }
  }
  void on_pause_end(std::uint64_t now) {
    if (!loop.add(listener.get(), EPOLLIN, *this)) loop.arm(pause, now + pause_ns);
  }

  options settings;
  base::log& log;
  base::fd listener;
  std::uint16_t port;
  transport::event_loop loop;
  service answers;
  transport::timer pause;
  bool warned = false;
};

server::server(const options& settings, const base::clock& clock, base::log& log,
               media_inspector inspect)
    : state_(std::make_unique<state>(settings, clock, log, std::move(inspect))) {}

server::~server() = default;

std::uint16_t server::port() const noexcept { return state_->port; }

std::string server::url() const {
  const std::string& host = state_->settings.host;
  const bool six = host.find(':') != std::string::npos;
  return "http://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(state_->port);
}

void server::run() {
  state_->loop.run();
  state_->answers.shut_down();
}

bool server::files_complete() const noexcept { return state_->answers.files_complete(); }

std::string server::media_summary() const {
  return state_->settings.check_media > 0 ? summary_of(state_->answers.media()) : std::string();
}

void server::stop() noexcept { state_->loop.stop(); }

}  // namespace inferbench::simulator

// A server that uses very little CPU, so that two cores suffice for two workers of the client and
// for the server. It has one thread and sends the same prepared answer to every request: a stream
// as the simulator writes it with --coalesce. It searches a request only for its end. It answers
// a GET, which the client sends during set-up, with a list of one model, m.
//
//   canned_server --unix PATH | --port N  [--tokens N]
//
// The answer is never copied. Its pages lie in a pipe, tee() lends them to a second pipe, and
// splice() passes them to the socket. Besides epoll_wait, a request takes three system calls (recv,
// tee and splice), whatever the size of its answer. At SIGTERM or SIGINT the server prints its
// totals (common/totals.hpp), like the measuring clients.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/arguments.hpp"
#include "common/system.hpp"
#include "common/totals.hpp"
#include "simulator/event_writer.hpp"
#include "simulator/wire.hpp"

namespace {

using inferbench::bench::fail;
using inferbench::bench::now_ns;

struct choices {
  std::string path;  // path of the unix socket; empty: TCP
  std::uint16_t port = 0;
  std::uint64_t tokens = 256;
};

bool parse(int count, char** words, choices& out) {
  bool somewhere = false;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    const std::string_view value = words[i + 1];
    bool good = false;
    if (name == "--unix") {
      out.path = value;
      good = somewhere = value.size() < sizeof sockaddr_un::sun_path;
    } else if (name == "--port") {
      good = somewhere = inferbench::bench::read_number(value, out.port);
    } else if (name == "--tokens") {
      good = inferbench::bench::read_number(value, out.tokens);
    }
    if (!good) return false;
  }
  return somewhere && count % 2 == 1 && out.tokens != 0;
}

std::string answer_text(std::uint64_t tokens) {
  namespace sim = inferbench::simulator;
  std::string out;
  sim::append_stream_head(out, true, true, {});
  sim::event_writer events;
  events.begin({sim::api_kind::completion, "r-10000", "m", 1'700'000'000}, true);
  for (std::uint64_t i = 0; i < tokens; ++i)
    events.tokens(out, i, 1, i + 1 == tokens ? "length" : "");
  events.used(out, {32, tokens, 0});
  events.done(out);
  return out;
}

std::string models_text() {
  std::string out;
  inferbench::simulator::append_answer(
      out, 200, inferbench::simulator::json_type,
      R"({"object":"list","data":[{"id":"m","object":"model","root":"m"}]})", true);
  return out;
}

/// The pages of a text, which are sent to sockets repeatedly without a copy.
class shared_pages {
 public:
  /// Stores the text. Returns false, with errno set, if a system call fails, for instance because
  /// the text is larger than the system's limit for a pipe: 1 MiB for users other than root.
  [[nodiscard]] bool hold(std::string_view text) {
    size_ = text.size();
    void* const pages =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return false;
    std::memcpy(pages, text.data(), size_);
    if (!make(kept_) || !make(lent_)) return false;
    iovec piece{pages, size_};
    return ::vmsplice(kept_[1], &piece, 1, SPLICE_F_NONBLOCK) == static_cast<ssize_t>(size_);
  }

  /// Sends the text; waits while the socket has no room. Returns false if the socket does not
  /// accept the whole text because its peer has closed.
  [[nodiscard]] bool send(int socket) {
    if (::tee(kept_[0], lent_[1], size_, 0) != static_cast<ssize_t>(size_)) return false;
    for (std::size_t left = size_; left != 0;) {
      const auto taken = ::splice(lent_[0], nullptr, socket, nullptr, left, 0);
      if (taken <= 0) {
        // A new pipe: the old pipe still contains the unsent rest of this answer.
        ::close(lent_[0]);
        ::close(lent_[1]);
        if (!make(lent_)) std::exit(fail("pipe"));
        return false;
      }
      left -= static_cast<std::size_t>(taken);
    }
    return true;
  }

 private:
  using pipe_ends = std::array<int, 2>;

  // The capacity of a pipe is counted in pages, and the text may begin and end within a page.
  [[nodiscard]] bool make(pipe_ends& ends) const {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t room = (size_ / page + 2) * page;
    return ::pipe2(ends.data(), O_CLOEXEC) == 0 &&
           ::fcntl(ends[1], F_SETPIPE_SZ, static_cast<int>(room)) >= 0;
  }

  std::size_t size_ = 0;
  pipe_ends kept_{};  // filled once; tee() copies from it without removing
  pipe_ends lent_{};
};

/// A connection, with the state of the request that it sends. The listening socket and the
/// descriptor of the signals are peers, too, and use only `socket`.
struct peer {
  int socket = -1;
  std::string head;         // the incomplete head so far
  std::size_t missing = 0;  // bytes of the body that are still to come
  bool get = false;
};

class server {
 public:
  explicit server(const choices& given)
      : given_(given), models_(models_text()), buffer_(std::size_t{256} << 10U) {}

  int run() {
    const std::string text = answer_text(given_.tokens);
    if (!answer_.hold(text)) return fail("cannot store the answer in a pipe");
    // The send buffer holds a whole answer, so that the only thread never waits for one client.
    room_ = static_cast<int>(2 * text.size());
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    sigset_t ends{};
    ::sigemptyset(&ends);
    ::sigaddset(&ends, SIGTERM);
    ::sigaddset(&ends, SIGINT);
    ::sigprocmask(SIG_BLOCK, &ends, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    signals_.socket = ::signalfd(-1, &ends, SFD_CLOEXEC);
    if (epoll_ < 0 || !watch(signals_)) return fail("epoll");
    if (!listen() || !watch(listener_)) return fail("listen");
    start_ = now_ns();
    return serve();
  }

 private:
  [[nodiscard]] bool watch(peer& what) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &what;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, what.socket, &event) == 0;
  }

  /// Starts to listen and prints the address to standard output.
  [[nodiscard]] bool listen() {
    const bool local = !given_.path.empty();
    const int family = local ? AF_UNIX : AF_INET;
    const int listener = listener_.socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return false;
    sockaddr_un path{};
    path.sun_family = AF_UNIX;
    given_.path.copy(path.sun_path, given_.path.size());
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(given_.port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const where =
        local ? reinterpret_cast<sockaddr*>(&path) : reinterpret_cast<sockaddr*>(&place);
    socklen_t size = local ? sizeof path : sizeof place;
    const int on = 1;
    if (!local) ::setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::bind(listener, where, size) != 0 || ::listen(listener, SOMAXCONN) != 0 ||
        ::getsockname(listener, where, &size) != 0)
      return false;
    if (local)
      std::printf("listening on unix:%s\n", given_.path.c_str());
    else
      std::printf("listening on http://127.0.0.1:%u\n", unsigned{ntohs(place.sin_port)});
    return std::fflush(stdout) == 0;
  }

  int serve() {
    std::array<epoll_event, 64> ready{};
    for (;;) {
      const int got = ::epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), -1);
      if (got < 0 && errno != EINTR) return fail("epoll");
      for (int i = 0; i < got; ++i) {
        peer& which = *static_cast<peer*>(ready[static_cast<std::size_t>(i)].data.ptr);
        if (&which == &signals_) return finish();
        if (&which == &listener_)
          accept();
        else if (!read(which))
          drop(which);
      }
    }
  }

  int finish() {
    if (!given_.path.empty()) ::unlink(given_.path.c_str());
    all_.events = all_.requests * given_.tokens;
    all_.wall_s = static_cast<double>(now_ns() - start_) / 1e9;
    inferbench::bench::print("canned_server", all_);
    return 0;
  }

  void accept() {
    auto next = std::make_unique<peer>();
    next->socket = ::accept4(listener_.socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (next->socket < 0) return;
    ::setsockopt(next->socket, SOL_SOCKET, SO_SNDBUF, &room_, sizeof room_);
    const auto place = static_cast<std::size_t>(next->socket);
    if (place >= peers_.size()) peers_.resize(place + 1);
    if (!watch(*next)) {
      ::close(next->socket);
      return;
    }
    peers_[place] = std::move(next);
  }

  void drop(const peer& which) {
    const int socket = which.socket;
    peers_[static_cast<std::size_t>(socket)].reset();
    ::close(socket);
  }

  /// Reads, and answers each complete request. Returns false if the connection has ended.
  [[nodiscard]] bool read(peer& from) {
    const auto size = ::recv(from.socket, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    if (size == 0) return false;
    ++all_.reads;
    all_.bytes += static_cast<std::uint64_t>(size);
    std::string_view bytes(buffer_.data(), static_cast<std::size_t>(size));
    while (!bytes.empty()) {
      if (!take(from, bytes)) continue;
      if (!reply(from)) return false;
    }
    return true;
  }

  /// Returns true if a request is complete. Removes the bytes of the request from `bytes`.
  [[nodiscard]] static bool take(peer& from, std::string_view& bytes) {
    if (from.missing == 0) {
      const std::size_t before = from.head.size();
      if (before != 0) from.head += bytes;
      const std::string_view text = before != 0 ? std::string_view(from.head) : bytes;
      const std::size_t end = text.find("\r\n\r\n");
      if (end == text.npos) {
        if (before == 0) from.head = bytes;
        bytes = {};
        return false;
      }
      from.get = text.starts_with("GET ");
      from.missing = body_size(text.substr(0, end + 2));
      bytes.remove_prefix(end + 4 - before);
      from.head.clear();
    }
    const std::size_t part = std::min(from.missing, bytes.size());
    from.missing -= part;
    bytes.remove_prefix(part);
    return from.missing == 0;
  }

  [[nodiscard]] static std::size_t body_size(std::string_view head) {
    std::size_t out = 0;
    for (const std::string_view name : {"\r\nContent-Length: ", "\r\ncontent-length: "})
      if (const std::size_t at = head.find(name); at != head.npos)
        std::from_chars(head.data() + at + name.size(), head.data() + head.size(), out);
    return out;
  }

  [[nodiscard]] bool reply(const peer& to) {
    if (to.get) {
      const auto sent = ::send(to.socket, models_.data(), models_.size(), MSG_NOSIGNAL);
      return sent == static_cast<ssize_t>(models_.size());
    }
    ++all_.requests;
    return answer_.send(to.socket);
  }

  const choices& given_;
  std::string models_;
  std::vector<char> buffer_;
  shared_pages answer_;
  int room_ = 0;  // send buffer of each socket, in bytes
  int epoll_ = -1;
  peer signals_;
  peer listener_;
  std::vector<std::unique_ptr<peer>> peers_;  // the index is the descriptor
  inferbench::bench::totals all_;
  std::uint64_t start_ = 0;
};

}  // namespace

int main(int count, char** words) {
  choices given;
  if (!parse(count, words, given)) {
    std::fprintf(stderr, "usage: canned_server --unix PATH | --port N  [--tokens N]\n");
    return 2;
  }
  inferbench::bench::raise_descriptor_limit();
  return server(given).run();
}

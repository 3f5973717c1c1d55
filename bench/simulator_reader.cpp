// How many events the simulator sends: the cheapest client that there can be. It keeps
// STREAMS connections busy with one completion after another for SECONDS, throws away
// what it reads but for the end of each answer, and prints rates and the CPU time that
// it took itself. Closed loop, one thread, raw epoll.
//
//   simulator_reader PORT STREAMS TOKENS SECONDS
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr std::string_view end_of_answer = "\r\n0\r\n\r\n";

struct client {
  int socket = -1;
  std::array<char, end_of_answer.size()> tail{};  // the last bytes that were read

  // True when `bytes`, after what came before, complete an answer.
  bool take(std::string_view bytes) {
    if (bytes.size() >= tail.size()) {
      std::memcpy(tail.data(), bytes.data() + bytes.size() - tail.size(), tail.size());
    } else {
      std::memmove(tail.data(), tail.data() + bytes.size(), tail.size() - bytes.size());
      std::memcpy(tail.data() + tail.size() - bytes.size(), bytes.data(), bytes.size());
    }
    return std::string_view(tail.data(), tail.size()) == end_of_answer;
  }
};

int fail(const char* what) {
  std::fprintf(stderr, "simulator_reader: %s: %s\n", what, std::strerror(errno));
  return 1;
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

bool number(const char* text, std::uint32_t maximum, std::uint32_t& out) {
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, out);
  return error == std::errc() && stop == end && out > 0 && out <= maximum;
}

int connected(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket < 0 || ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    return -1;
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

}  // namespace

int main(int count, char** words) {
  std::array<std::uint32_t, 4> given{};
  bool good = count == 5;
  for (std::size_t i = 0; good && i < given.size(); ++i)
    good = number(words[i + 1], i == 0 ? 65535 : 1'000'000, given[i]);
  if (!good) {
    std::fprintf(stderr, "usage: simulator_reader PORT STREAMS TOKENS SECONDS\n");
    return 2;
  }
  const auto [port, streams, tokens, seconds] = given;
  const std::string body =
      "{\"model\":\"m\",\"prompt\":\"a\",\"stream\":true,\"ignore_eos\":true,"
      "\"max_tokens\":" +
      std::to_string(tokens) + "}";
  const std::string request =
      "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;

  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return fail("epoll");
  std::vector<client> clients(streams);
  for (client& each : clients) {
    each.socket = connected(static_cast<std::uint16_t>(port));
    if (each.socket < 0) return fail("connect");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &each;
    if (::epoll_ctl(epoll, EPOLL_CTL_ADD, each.socket, &event) != 0) return fail("epoll");
  }

  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  const auto end = start + std::chrono::seconds(seconds);
  const double cpu_before = cpu_seconds();
  for (const client& each : clients)
    if (::send(each.socket, request.data(), request.size(), MSG_NOSIGNAL) < 0) return fail("send");

  std::uint64_t answers = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
  std::vector<char> buffer(std::size_t{256} << 10U);
  std::array<epoll_event, 64> ready{};
  while (clock::now() < end) {
    const int got = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), 100);
    for (int i = 0; i < got; ++i) {
      client& each = *static_cast<client*>(ready[static_cast<std::size_t>(i)].data.ptr);
      const auto size = ::recv(each.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size < 0 && errno == EAGAIN) continue;
      if (size <= 0) return fail("the server closed a connection");
      ++reads;
      bytes += static_cast<std::uint64_t>(size);
      if (!each.take({buffer.data(), static_cast<std::size_t>(size)})) continue;
      ++answers;
      each.tail = {};
      if (::send(each.socket, request.data(), request.size(), MSG_NOSIGNAL) < 0)
        return fail("send");
    }
  }
  const double took = std::chrono::duration<double>(clock::now() - start).count();
  const double events = static_cast<double>(answers) * tokens;
  // Events of answers that were still running are not counted; their reads are.
  std::printf("%.0f events/s, %.0f answers/s, %.0f reads/s, %.1f MB/s, %.3f CPU-seconds a second\n",
              events / took, static_cast<double>(answers) / took, static_cast<double>(reads) / took,
              static_cast<double>(bytes) / took / 1e6, (cpu_seconds() - cpu_before) / took);
  for (const client& each : clients)
    ::close(each.socket);
  return 0;
}

// A simulator in the test process, and a client on plain sockets that returns the exact bytes of
// its answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/log.hpp"
#include "simulator/server.hpp"

namespace inferbench::simulator {

/// An inspector without codecs.
inline media::facts decode_nothing(std::string_view, media::kind) {
  throw media::failure(media::cause::missing, "this test has no codecs");
}

/// Serves on any free port from construction to stop() or destruction. With `delays` false, TTFT
/// and ITL are 0, whatever the options contain. `inspect` decodes the media of requests; `log`
/// receives the warnings and errors.
class test_server {
 public:
  explicit test_server(options settings = {}, bool delays = false,
                       media_inspector inspect = decode_nothing,
                       std::function<void(std::string_view)> log = {})
      : log_(log ? base::log_level::warning : base::log_level::off,
             [log](base::log_level, std::string_view line) {
               if (log) log(line);
             }),
        server_(adapted(std::move(settings), delays), clock_, log_, std::move(inspect)) {
    thread_ = std::thread([this] { server_.run(); });
  }
  test_server(const test_server&) = delete;
  test_server& operator=(const test_server&) = delete;
  ~test_server() { stop(); }

  void stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] server& get() { return server_; }
  [[nodiscard]] std::uint16_t port() const { return server_.port(); }

 private:
  static options adapted(options settings, bool delays) {
    settings.port = 0;
    if (!delays) settings.ttft = settings.itl = distribution::constant(0);
    return settings;
  }

  base::monotonic_clock clock_;
  base::log log_;
  server server_;
  std::thread thread_;
};

/// If nothing arrives for 20 s, a read ends as if the server had closed the connection.
class raw_client {
 public:
  /// `receive_buffer`: the value of SO_RCVBUF in bytes; 0: the system's default.
  explicit raw_client(std::uint16_t port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (receive_buffer > 0)
      ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
  }

  /// All bytes up to and including `end`; fewer if the server closes earlier.
  std::string until(std::string_view end) {
    std::size_t searched = 0;
    for (;;) {
      const auto at = unread_.find(end, searched);
      if (at != std::string::npos) return take(at + end.size());
      searched = unread_.size() < end.size() ? 0 : unread_.size() - end.size();
      if (!read_some()) return take(unread_.size());
    }
  }

  std::string exactly(std::size_t size) {
    while (unread_.size() < size && read_some()) {
    }
    return take(std::min(size, unread_.size()));
  }

  std::string until_closed() {
    while (read_some()) {
    }
    return take(unread_.size());
  }

  /// Head and body of the next answer, which has a content-length.
  std::string answer() {
    std::string head = until("\r\n\r\n");
    const auto at = head.find("content-length: ");
    if (at == std::string::npos) return head;
    return head + exactly(std::stoul(head.substr(at + 16)));
  }

  /// Head and body of the next answer, which is chunked.
  std::string stream() { return until("\r\n0\r\n\r\n"); }

  void leave() { socket_.reset(); }

 private:
  bool read_some() {
    char bytes[65536];
    const auto size = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (size <= 0) return false;
    unread_.append(bytes, static_cast<std::size_t>(size));
    return true;
  }
  std::string take(std::size_t size) {
    std::string out = unread_.substr(0, size);
    unread_.erase(0, size);
    return out;
  }

  base::fd socket_;
  std::string unread_;
};

inline std::string get_text(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n\r\n";
}

inline std::string post_text(std::string_view path, std::string_view body,
                             std::string_view fields = {}) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

/// `text` with every value of "created" and "created_at" replaced by 0.
inline std::string without_date(std::string text) {
  for (const std::string_view name : {"\"created\":", "\"created_at\":"}) {
    std::size_t at = 0;
    while ((at = text.find(name, at)) != std::string::npos) {
      at += name.size();
      const auto end = std::min(text.find_first_not_of("0123456789", at), text.size());
      text.replace(at, end - at, "0");
    }
  }
  return text;
}

/// Sends `request` on a new connection; returns the answer without its date.
inline std::string exchanged(std::uint16_t port, const std::string& request,
                             bool streamed = false) {
  raw_client client(port);
  client.send(request);
  return without_date(streamed ? client.stream() : client.answer());
}

inline std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : answer.substr(end + 4);
}

inline std::size_t occurrences(std::string_view text, std::string_view of) {
  std::size_t count = 0;
  for (auto at = text.find(of); at != std::string_view::npos; at = text.find(of, at + of.size()))
    ++count;
  return count;
}

/// The JSON of a completion request for three tokens. `more` is its end: "}", or further members
/// and "}".
inline std::string three_tokens(std::string_view more) {
  std::string out = R"({"model":"m","prompt":"Once upon a time in","max_tokens":3,)";
  out += R"("ignore_eos":true)";
  out += more;
  return out;
}

/// The value of the metric `name` on /metrics; -1 if the page does not have it.
inline double metric(std::uint16_t port, std::string_view name) {
  raw_client client(port);
  client.send(get_text("/metrics"));
  const std::string page = client.answer();
  const auto at = page.find(std::string(1, '\n').append(name).append(1, '{'));
  if (at == std::string::npos) return -1;
  return std::stod(page.substr(page.find("} ", at) + 2));
}

/// The number of answers to requests with a structure or tools that /metrics counts as `kind`:
/// "right", "wrong", "limited" or "unsupported"; -1 if the page does not have the kind.
inline double answers(std::uint16_t port, std::string_view kind) {
  raw_client client(port);
  client.send(get_text("/metrics"));
  const std::string page = client.answer();
  const auto at = page.find("is=\"" + std::string(kind) + "\"} ");
  return at == std::string::npos ? -1 : std::stod(page.substr(page.find("} ", at) + 2));
}

}  // namespace inferbench::simulator

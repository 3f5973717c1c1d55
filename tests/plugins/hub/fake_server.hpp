// A small HTTP server for tests with a fake hub; a function computes its answers. Every answer
// closes its connection, so a body can be truncated.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hub_test {

struct request {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case

  [[nodiscard]] std::string header(const std::string& name) const {
    const auto at = headers.find(name);
    return at == headers.end() ? std::string{} : at->second;
  }
};

struct response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::size_t send = std::string::npos;  // number of bytes of the body that are sent
};

/// Answers on its own threads, one for each connection, until it is destroyed.
class fake_server {
 public:
  using responder = std::function<response(const request&)>;

  explicit fake_server(responder respond) : respond_(std::move(respond)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
        ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
      throw std::runtime_error("no port to listen on");
    port_ = ntohs(at.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  fake_server(const fake_server&) = delete;
  fake_server& operator=(const fake_server&) = delete;
  ~fake_server() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    ::close(listener_);
    for (auto& each : serving_)
      each.join();
  }

  /// Locked while an answer is computed. A thread that locks it after a request sees all writes of
  /// the answer's function. Needed because ThreadSanitizer does not see the synchronisation through
  /// a socket.
  static std::mutex& answering() {
    static std::mutex mutex;
    return mutex;
  }
  [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  /// "GET /target" for each request, in order of arrival.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const auto& each : requests())
      out.push_back(each.method + " " + each.target);
    return out;
  }

 private:
  void accept_all() {
    for (;;) {
      const int peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (peer < 0) return;
      if (stopping_) {
        ::close(peer);
        return;
      }
      serving_.emplace_back([this, peer] {
        serve(peer);
        ::close(peer);
      });
    }
  }

  void serve(int peer) {
    std::string text;
    while (text.find("\r\n\r\n") == text.npos) {
      char block[4096];
      const auto got = ::recv(peer, block, sizeof block, 0);
      if (got <= 0) return;
      text.append(block, static_cast<std::size_t>(got));
    }
    const request asked = parse(text);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(asked);
    }
    const response said = [&] {
      const std::lock_guard lock(answering());
      return respond_(asked);
    }();
    std::string out = "HTTP/1.1 " + std::to_string(said.status) + " x\r\nConnection: close\r\n";
    bool sized = false;
    for (const auto& [name, value] : said.headers) {
      out += name;
      out += ": " + value + "\r\n";
      sized = sized || name == "Content-Length";
    }
    if (!sized) out += "Content-Length: " + std::to_string(said.body.size()) + "\r\n";
    out += "\r\n";
    if (asked.method != "HEAD") out += said.body.substr(0, said.send);
    for (std::size_t from = 0; from < out.size();) {
      const auto sent = ::send(peer, out.data() + from, out.size() - from, MSG_NOSIGNAL);
      if (sent <= 0) return;
      from += static_cast<std::size_t>(sent);
    }
    // Read the rest first: closing a socket with unread bytes would reset the connection.
    ::shutdown(peer, SHUT_WR);
    char rest[256];
    while (::recv(peer, rest, sizeof rest, 0) > 0) {
    }
  }

  static request parse(const std::string& text) {
    request out;
    std::size_t from = text.find("\r\n");
    const std::string first = text.substr(0, from);
    const auto space = first.find(' ');
    out.method = first.substr(0, space);
    out.target = first.substr(space + 1, first.rfind(' ') - space - 1);
    for (from += 2; from < text.size();) {
      const auto end = text.find("\r\n", from);
      const std::string line = text.substr(from, end - from);
      if (line.empty()) break;
      const auto colon = line.find(": ");
      std::string name = line.substr(0, colon);
      for (char& c : name)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      out.headers[name] = line.substr(colon + 2);
      from = end + 2;
    }
    return out;
  }

  responder respond_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<request> requests_;
  std::vector<std::thread> serving_;
  std::thread accepting_;
};

}  // namespace hub_test

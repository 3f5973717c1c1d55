// A server on 127.0.0.1 whose answers a test determines, request by request.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "framework/transport/loopback.hpp"

namespace inferbench::client::testing {

class scripted_server {
 public:
  struct arrival {
    std::string id;              // its x-request-id
    std::size_t connection = 0;  // number in the order of accepting
    std::string line{};          // method and target: "POST /v1/x"
  };
  /// Called on the server's thread for each request; may answer this request or any other.
  using script = std::function<void(scripted_server&, std::size_t request)>;

  explicit scripted_server(script what) : what_(std::move(what)), thread_([this] { run(); }) {}
  scripted_server(const scripted_server&) = delete;
  scripted_server& operator=(const scripted_server&) = delete;
  ~scripted_server() { stop(); }

  // Used by the script.

  /// False if the client has closed the connection.
  bool send(std::size_t request, std::string_view bytes) {
    const base::fd& to = socket_of(request);
    while (!bytes.empty()) {
      const auto n = ::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  /// Sends `bytes` and closes, so that the end of the connection arrives with the last byte, before
  /// the client can react to it.
  bool send_and_close(std::size_t request, std::string_view bytes) {
    const auto n =
        ::send(socket_of(request).get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_MORE);
    close(request);
    return n == static_cast<ssize_t>(bytes.size());
  }
  void close(std::size_t request) { socket_of(request) = base::fd(); }
  /// The client sees ECONNRESET.
  void reset(std::size_t request) { transport::test::reset(std::move(socket_of(request))); }

  /// Requests so far: for the script, and for the test after stop().
  [[nodiscard]] const std::vector<arrival>& seen() const { return seen_; }
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

  [[nodiscard]] const transport::address& where() const { return listener_.where(); }
  [[nodiscard]] std::string url() const { return listener_.url(); }

  void stop() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    EXPECT_EQ(::write(stop_.get(), &one, sizeof one), 8);
    thread_.join();
  }

 private:
  struct peer {
    base::fd socket;
    std::string read{};
  };

  [[nodiscard]] base::fd& socket_of(std::size_t request) {
    return connections_[seen_[request].connection].socket;
  }

  void run() {
    for (;;) {
      std::vector<pollfd> ready{{stop_.get(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
      // A closed socket is -1, which poll ignores.
      for (const peer& p : connections_)
        ready.push_back({p.socket.get(), POLLIN, 0});
      ::poll(ready.data(), ready.size(), -1);
      if (ready[0].revents != 0) return;
      for (std::size_t i = 2; i < ready.size(); ++i)
        if (ready[i].revents != 0) receive(i - 2);
      if (ready[1].revents != 0) connections_.push_back({listener_.accept()});
    }
  }

  void receive(std::size_t connection) {
    if (!connections_[connection].socket) return;  // the script has already closed the connection
    std::string& read = connections_[connection].read;
    const std::string more = transport::test::read_now(connections_[connection].socket);
    if (more.empty()) {
      connections_[connection].socket = base::fd();
      return;
    }
    read += more;
    for (;;) {
      const auto head = read.find("\r\n\r\n");
      if (head == std::string::npos) return;
      const auto length = read.find("ontent-Length: ");
      const std::size_t body = length < head ? std::stoul(read.substr(length + 15)) : 0;
      if (read.size() < head + 4 + body) return;
      const auto id = read.find("x-request-id: ");
      const auto from = id + 14;
      seen_.push_back({id < head ? read.substr(from, read.find('\r', from) - from) : std::string(),
                       connection, read.substr(0, read.find(" HTTP/"))});
      read.erase(0, head + 4 + body);
      what_(*this, seen_.size() - 1);
    }
  }

  transport::test::loopback listener_;
  base::fd stop_{::eventfd(0, EFD_CLOEXEC)};
  script what_;
  std::vector<peer> connections_;
  std::vector<arrival> seen_;
  std::thread thread_;
};

}  // namespace inferbench::client::testing

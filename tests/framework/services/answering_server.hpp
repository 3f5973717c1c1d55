// An HTTP server on 127.0.0.1 whose answers a test determines: one request per connection, one
// after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "framework/transport/loopback.hpp"

namespace inferbench::services::testing {

struct asked {
  std::string line;  // method and target: "GET /metrics"
  std::string head;  // the whole head, with its first line
  std::string body;
};

struct answered {
  int status = 200;
  std::string body{};
  std::string content_type = "application/json";
  std::string more_headers{};  // whole lines, each with its line end
};

class answering_server {
 public:
  using handler = std::function<answered(const asked&)>;  // called on the server's thread

  explicit answering_server(handler answer)
      : answer_(std::move(answer)), thread_([this] { run(); }) {}
  answering_server(const answering_server&) = delete;
  answering_server& operator=(const answering_server&) = delete;
  ~answering_server() {
    const std::uint64_t one = 1;
    EXPECT_EQ(::write(stop_.get(), &one, sizeof one), 8);
    thread_.join();
  }

  [[nodiscard]] std::string url() const { return listener_.url(); }
  [[nodiscard]] std::vector<asked> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  void run() {
    for (;;) {
      pollfd ready[] = {{stop_.get(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
      ::poll(ready, 2, -1);
      if (ready[0].revents != 0) return;
      serve(listener_.accept());
    }
  }

  void serve(const base::fd& peer) {
    std::string read;
    std::size_t head = std::string::npos;
    std::size_t length = 0;
    while (head == std::string::npos || read.size() < head + 4 + length) {
      const std::string more = transport::test::read_some(peer, 1);
      if (more.empty()) return;  // the client only checked that the server is reachable
      read += more;
      head = read.find("\r\n\r\n");
      const auto size = read.find("ontent-Length: ");
      if (head != std::string::npos && size < head) length = std::stoul(read.substr(size + 15));
    }
    const asked request{read.substr(0, read.find(" HTTP/")), read.substr(0, head + 2),
                        read.substr(head + 4)};
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(request);
    }
    const answered what = answer_(request);
    transport::test::write_all(peer, "HTTP/1.1 " + std::to_string(what.status) +
                                         " Said\r\nContent-Type: " + what.content_type + "\r\n" +
                                         what.more_headers +
                                         "Content-Length: " + std::to_string(what.body.size()) +
                                         "\r\nConnection: close\r\n\r\n" + what.body);
  }

  transport::test::loopback listener_;
  base::fd stop_{::eventfd(0, EFD_CLOEXEC)};
  handler answer_;
  mutable std::mutex mutex_;
  std::vector<asked> seen_;
  std::thread thread_;
};

}  // namespace inferbench::services::testing

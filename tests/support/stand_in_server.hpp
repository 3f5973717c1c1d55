// A server that answers as the tests need it. A program of tests is also this server: the program
// is started again, as a process of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/socket.h>

#include "base/fd.hpp"
#include "transport/resolver.hpp"
#include "transport/server_address.hpp"

namespace inferbench::support {

/// The word after the option `name`; empty if there is none.
inline std::string option_value(const std::vector<std::string>& words, std::string_view name) {
  const auto at = std::ranges::find(words, name);
  return at == words.end() || at + 1 == words.end() ? std::string() : *(at + 1);
}

/// Options: --host and --port; --log FILE: is emptied and gets a line for each request, after
/// $VLLM_SERVER_DEV_MODE; --busy N: the first N requests get the status 503; --missing PATH: this
/// path gets the status 404; --fatal PATH: a request for this path ends the server with the exit
/// status 3 and a line; others have no effect. All other requests get the status 200. Prints
/// "listening" and $VLLM_LOGGING_LEVEL, if that is set, to standard output and "a warning" to
/// standard error.
class stand_in_server {
 public:
  explicit stand_in_server(std::vector<std::string> words) : words_(std::move(words)) {}

  /// The main function of the server: returns the exit status.
  int run() {
    const transport::endpoint where = transport::resolve(transport::server_address(words_));
    const transport::address& address = where.addresses.front();
    const base::fd listener(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(listener.get(), address.get(), address.size) != 0 ||
        ::listen(listener.get(), 16) != 0) {
      std::perror("cannot listen");
      return 1;
    }
    begin();
    for (;;) {
      const base::fd peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const std::string line = request_line(peer);
      if (line.empty()) continue;
      if (log_.is_open()) log_ << line << '\n' << std::flush;
      const std::string path = line.substr(line.find(' ') + 1);
      if (path == option("--fatal")) {
        std::fputs("out of memory\n", stderr);
        // Without destructors, which would close the connection long before a sanitizer has ended
        // the process.
        std::_Exit(3);
      }
      if (busy_-- > 0)
        answer(peer, "503 Service Unavailable", "");
      else if (path == option("--missing"))
        answer(peer, "404 Not Found", "no such path");
      else
        answer(peer, "200 OK", "");
    }
  }

 private:
  [[nodiscard]] std::string option(std::string_view name) const {
    return option_value(words_, name);
  }

  void begin() {
    std::puts("listening");
    if (const char* level = std::getenv("VLLM_LOGGING_LEVEL"); level != nullptr) std::puts(level);
    std::fflush(stdout);
    std::fputs("a warning\n", stderr);
    busy_ = std::atoi(option("--busy").c_str());
    const std::string file = option("--log");
    if (file.empty()) return;
    const char* mode = std::getenv("VLLM_SERVER_DEV_MODE");
    log_.open(file);
    log_ << "mode " << (mode == nullptr ? "none" : mode) << '\n' << std::flush;
  }

  /// The first line of a request, "GET /health", after its whole head has come.
  static std::string request_line(const base::fd& peer) {
    std::string head;
    std::array<char, 4096> buffer{};
    while (head.find("\r\n\r\n") == std::string::npos) {
      const auto got = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
      if (got <= 0) return {};
      head.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return head.substr(0, head.find(" HTTP"));
  }

  static void answer(const base::fd& peer, const std::string& status, const std::string& body) {
    const std::string text = "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body;
    static_cast<void>(!::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL));
  }

  std::vector<std::string> words_;
  std::ofstream log_;
  int busy_ = 0;
};

}  // namespace inferbench::support

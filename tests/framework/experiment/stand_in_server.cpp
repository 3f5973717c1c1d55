#include "stand_in_server.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <sys/socket.h>

#include "base/fd.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::experiment {

namespace {

std::string option_of(const std::vector<std::string>& words, std::string_view name) {
  const auto at = std::ranges::find(words, name);
  return at == words.end() || at + 1 == words.end() ? std::string() : *(at + 1);
}

/// The first line of a request, "GET /health", after its whole head has come.
std::string request_line(const base::fd& peer) {
  std::string head;
  std::array<char, 4096> buffer{};
  while (head.find("\r\n\r\n") == std::string::npos) {
    const auto got = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
    if (got <= 0) return {};
    head.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return head.substr(0, head.find(" HTTP"));
}

void answer_with(const base::fd& peer, const std::string& status, const std::string& body) {
  const std::string text = "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + body;
  static_cast<void>(!::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL));
}

}  // namespace

int stand_in_server(const std::vector<std::string>& words) {
  const transport::endpoint where = transport::resolve(transport::parse_url(
      "http://" + option_of(words, "--host") + ":" + option_of(words, "--port")));
  const transport::address& address = where.addresses.front();
  const base::fd listener(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener.get(), address.get(), address.size) != 0 ||
      ::listen(listener.get(), 16) != 0) {
    std::perror("cannot listen");
    return 1;
  }
  std::puts("listening");
  std::fflush(stdout);
  std::fputs("a warning\n", stderr);
  std::ofstream log;
  if (const std::string file = option_of(words, "--log"); !file.empty()) {
    const char* mode = std::getenv("VLLM_SERVER_DEV_MODE");
    log.open(file);
    log << "mode " << (mode == nullptr ? "none" : mode) << '\n' << std::flush;
  }
  int busy = std::atoi(option_of(words, "--busy").c_str());
  for (;;) {
    const base::fd peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const std::string line = request_line(peer);
    if (line.empty()) continue;
    if (log.is_open()) log << line << '\n' << std::flush;
    const std::string path = line.substr(line.find(' ') + 1);
    if (path == option_of(words, "--fatal")) {
      std::fputs("out of memory\n", stderr);
      return 3;
    }
    if (busy-- > 0)
      answer_with(peer, "503 Service Unavailable", "");
    else if (path == option_of(words, "--missing"))
      answer_with(peer, "404 Not Found", "no such path");
    else
      answer_with(peer, "200 OK", "");
  }
}

bool is_stand_in_server(const std::string& program) {
  return program.ends_with("vllm") || program.ends_with("infinity_emb");
}

}  // namespace inferbench::experiment

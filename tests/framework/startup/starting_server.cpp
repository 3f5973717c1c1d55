#include "starting_server.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::startup {

namespace {

constexpr std::string_view completion_answer =
    R"(data: {"choices": [{"index": 0, "text": " there"}]})"
    "\n\ndata: [DONE]\n\n";

class word_list {
 public:
  explicit word_list(const std::vector<std::string>& words) : words_(words) {}

  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::find(words_, name) != words_.end();
  }
  [[nodiscard]] std::string text(std::string_view name) const {
    const auto at = std::ranges::find(words_, name);
    return at == words_.end() || at + 1 == words_.end() ? std::string() : *(at + 1);
  }
  [[nodiscard]] int number(std::string_view name) const { return std::atoi(text(name).c_str()); }

 private:
  const std::vector<std::string>& words_;
};

/// The first line of a request, "GET /health", after the whole request has come.
std::string whole_request(const base::fd& peer) {
  std::string all;
  std::array<char, 4096> buffer{};
  std::size_t wanted = std::string::npos;
  while (all.size() < wanted) {
    const auto got = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
    if (got <= 0) return {};
    all.append(buffer.data(), static_cast<std::size_t>(got));
    const auto end = all.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    constexpr std::string_view length = "Content-Length: ";
    const auto at = all.find(length);
    wanted = end + 4 + (at < end ? std::strtoul(all.c_str() + at + length.size(), nullptr, 10) : 0);
  }
  return all.substr(0, all.find(" HTTP"));
}

void give(const base::fd& peer, const std::string& status, std::string_view body) {
  const std::string text = "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  static_cast<void>(!::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL));
}

void fill_cache() {
  if (const char* folder = std::getenv("VLLM_CACHE_ROOT"); folder != nullptr)
    std::ofstream(std::string(folder) + "/graph") << "compiled";
}

base::fd listen_at(const word_list& words) {
  const transport::endpoint where = transport::resolve(
      transport::parse_url("http://" + words.text("--host") + ":" + words.text("--port")));
  const transport::address& address = where.addresses.front();
  base::fd out(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(out.get(), address.get(), address.size) != 0 || ::listen(out.get(), 16) != 0) {
    std::perror("cannot listen");
    out.reset();
  }
  return out;
}

}  // namespace

int starting_server(const std::vector<std::string>& arguments) {
  const word_list words(arguments);
  for (int i = 1; i <= words.number("--lines"); ++i)
    std::printf("line %d of the start\n", i);
  std::fflush(stdout);
  if (words.has("--exit")) return words.number("--exit");
  if (words.has("--deaf")) std::signal(SIGTERM, SIG_IGN);
  if (words.has("--fill")) fill_cache();
  while (words.has("--mute"))
    ::pause();
  const base::fd listener = listen_at(words);
  if (!listener) return 1;
  std::ofstream log;
  if (const std::string file = words.text("--log"); !file.empty()) log.open(file);
  int busy = words.number("--busy");
  std::vector<base::fd> unanswered;
  for (;;) {
    base::fd peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const std::string line = whole_request(peer);
    if (line.empty()) continue;
    if (log.is_open()) log << line << '\n' << std::flush;
    const std::string path = line.substr(line.find(' ') + 1);
    if (path == words.text("--fatal")) {
      std::fputs("out of memory\n", stderr);
      // Without destructors, which would close the connection long before a sanitizer has ended the
      // process.
      std::_Exit(3);
    }
    if (path == words.text("--silent"))
      unanswered.push_back(std::move(peer));
    else if (path == words.text("--missing"))
      give(peer, "404 Not Found", "no such path");
    else if (path == words.text("--broken"))
      give(peer, "500 Internal Server Error", "{\"error\": \"no kernel\"}");
    else if (path == "/health" && busy-- > 0)
      give(peer, "503 Service Unavailable", "");
    else if (path == "/v1/models")
      give(peer, "200 OK",
           words.has("--empty") ? "{\"data\": []}" : "{\"data\": [{\"id\": \"tiny\"}]}");
    else if (path == "/v1/completions")
      give(peer, "200 OK", completion_answer);
    else
      give(peer, "200 OK", "");
  }
}

}  // namespace inferbench::startup

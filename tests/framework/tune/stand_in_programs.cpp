#include "stand_in_programs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "supervise/supervisor.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"
#include "transport/server_address.hpp"
#include "transport/url.hpp"
#include "tune/commands.hpp"

namespace inferbench::tune {

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

void answer_with(const base::fd& peer, const char* status) {
  const std::string text =
      std::string("HTTP/1.1 ") + status + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  static_cast<void>(!::send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL));
}

int serve_requests(const std::vector<std::string>& words) {
  if (option_of(words, "--max-num-seqs") == "13") {
    std::fputs("out of memory\n", stderr);
    return 3;
  }
  const transport::endpoint where = transport::resolve(transport::server_address(words));
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
  if (const char* level = std::getenv("VLLM_LOGGING_LEVEL"); level != nullptr) std::puts(level);
  std::fflush(stdout);
  std::ofstream log(option_of(words, "--log"), std::ios::app);
  for (;;) {
    const base::fd peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    const std::string line = request_line(peer);
    if (line.empty()) continue;
    log << line << '\n' << std::flush;
    const std::string path = line.substr(line.find(' ') + 1);
    if (path == "/die") {
      std::fputs("a fatal error\n", stderr);
      return 4;
    }
    answer_with(peer, path == option_of(words, "--missing") ? "404 Not Found" : "200 OK");
  }
}

std::string result_text_at(double rate, bool at_once, int failed) {
  const double throughput = at_once ? 3.5 : rate;
  const double latency = at_once ? 900 : 100 * rate;
  return R"({"completed": 9, "failed": )" + std::to_string(failed) + R"(, "request_throughput": )" +
         std::to_string(throughput) + R"(, "request_goodput": )" + std::to_string(throughput) +
         R"(, "p99_e2el_ms": )" + std::to_string(latency) + "}";
}

int benchmark(const std::vector<std::string>& words) {
  std::puts("a benchmark");
  std::fputs("a warning\n", stderr);
  const std::string fake = option_of(words, "--fake");
  if (fake == "broken") {
    std::fflush(stdout);
    std::fputs("a last line\n", stderr);
    return 5;
  }
  if (fake == "nothing") return 0;
  if (fake == "deadly") {
    const base::monotonic_clock clock;
    static_cast<void>(transport::fetch(
        clock, transport::resolve(transport::parse_url(option_of(words, "--base-url"))),
        {.method = "POST", .target = "/die"}));
    for (;;)
      ::pause();
  }
  const std::string rate = option_of(words, "--request-rate");
  std::ofstream(option_of(words, "--result-dir") + "/" + option_of(words, "--result-filename"))
      << result_text_at(base::parse_float(rate).value_or(0), rate == "inf",
                        fake == "lossy" ? 1 : 0);
  return 0;
}

int search(const std::vector<std::string>& words) {
  std::puts("a search");
  const std::string fake = option_of(words, "--fake");
  if (fake == "broken") return 1;
  std::ofstream file(option_of(words, "--json"));
  if (fake == "none") {
    file << R"({"limit": null, "ended": "nothing_passed", "probes": []})";
    return 4;
  }
  file << R"({"limit": 2.5, "ended": "probes_used",
              "probes": [{"load": 2.5, "verdict": "passed", "journal": "/j"}]})";
  return 0;
}

int report(const std::vector<std::string>& words) {
  constexpr std::string_view json_flag = "--reporter=json=";
  std::puts("a report");
  for (const std::string& word : words)
    if (word.starts_with(json_flag))
      std::ofstream(word.substr(json_flag.size())) << result_text_at(2.5, false, 0);
  return words[2] == "/j" ? 0 : 1;
}

int tuning(const std::vector<std::string>& words) {
  base::output out(stdout);
  const bool is_batch = words.size() > 2 && words[2] == "batch";
  const auto args = std::span(words).subspan(is_batch ? 3 : 2);
  int status = 1;
  try {
    status = is_batch ? batch(args, out) : tune(args, out);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  out.finish();
  return status;
}

}  // namespace

std::optional<int> stand_in_program(const std::vector<std::string>& words) {
  if (words.size() < 2) return std::nullopt;
  const std::string& name = words[1];
  if (name == "supervise") return supervise::supervisor_main({words.begin() + 2, words.end()});
  if (name == stand_in_server_word) return serve_requests(words);
  if (name == "serve") return benchmark(words);
  if (name == "find") return search(words);
  if (name == "report") return report(words);
  if (name == "tune") return tuning(words);
  return std::nullopt;
}

}  // namespace inferbench::tune

#include "stand_in_programs.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <span>
#include <string_view>

#include <unistd.h>

#include "base/clock.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "supervise/supervisor.hpp"
#include "support/stand_in_server.hpp"
#include "transport/fetch.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"
#include "tune/commands.hpp"

namespace inferbench::tune {

namespace {

int serve_requests(const std::vector<std::string>& words) {
  if (support::option_value(words, "--max-num-seqs") == "13") {
    std::fputs("out of memory\n", stderr);
    return 3;
  }
  return support::stand_in_server(words).run();
}

std::string result_text_at(double rate, bool at_once, int failed) {
  const double throughput = at_once ? 3.5 : rate;
  const double latency = at_once ? 900 : 100 * rate;
  return R"({"completed": 9, "failed": )" + std::to_string(failed) + R"(, "request_throughput": )" +
         std::to_string(throughput) + R"(, "request_goodput": )" + std::to_string(throughput) +
         R"(, "p99_e2el_ms": )" + std::to_string(latency) + "}";
}

int benchmark(const std::vector<std::string>& words) {
  std::fputs("a warning\n", stderr);
  const std::string fake = support::option_value(words, "--fake");
  if (fake == "broken") {
    // Nothing goes to standard output: the reader of both streams does not know their order.
    std::fputs("a last line\n", stderr);
    return 5;
  }
  std::puts("a benchmark");
  if (fake == "nothing") return 0;
  if (fake == "deadly") {
    const base::monotonic_clock clock;
    static_cast<void>(transport::fetch(
        clock, transport::resolve(transport::parse_url(support::option_value(words, "--base-url"))),
        {.method = "POST", .target = fatal_path}));
    for (;;)
      ::pause();
  }
  const std::string rate = support::option_value(words, "--request-rate");
  std::ofstream(support::option_value(words, "--result-dir") + "/" +
                support::option_value(words, "--result-filename"))
      << result_text_at(base::parse_float(rate).value_or(0), rate == "inf",
                        fake == "lossy" ? 1 : 0);
  return 0;
}

int search(const std::vector<std::string>& words) {
  std::puts("a search");
  const std::string fake = support::option_value(words, "--fake");
  if (fake == "broken") return 1;
  std::ofstream file(support::option_value(words, "--json"));
  if (fake == "none") {
    file << R"({"limit": null, "ended": "nothing_passed", "probes": []})";
    return 4;
  }
  file << R"({"limit": 2.5, "ended": "probes_used",
              "probes": [{"load": 2.5, "verdict": "passed", "journal": "/j"}]})";
  return 0;
}

int report(const std::vector<std::string>& words) {
  constexpr std::string_view json_flag = "json=";
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
    const command_readers readers = accepting_readers();
    status = is_batch ? batch(args, out, readers) : tune(args, out, readers);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  out.finish();
  return status;
}

}  // namespace

command_readers accepting_readers() {
  const auto accept = [](std::span<const std::string>) {};
  return {accept, accept};
}

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

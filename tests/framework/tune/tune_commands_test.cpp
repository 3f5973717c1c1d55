#include "tune/tune_commands.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "support/golden.hpp"

namespace inferbench::tune {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

constexpr double at_once = std::numeric_limits<double>::infinity();

tune_request request_of(const std::vector<std::string>& args) { return parse_tune(args, {}); }

std::string lines_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += base::shell_word(word) + "\n";
  return out + "\n";
}

TEST(tune_commands, are_those_of_the_script) {
  const tune_request request =
      request_of({"--model", "org/m", "--tp", "2", "--input-len", "1000", "--min-cache-hit-pct",
                  "25", "--max-latency-allowed-ms", "500", "--download-dir", "/w",
                  "--vllm-logging-level", "INFO", "--bench-options=--temperature 0"});
  const std::string address = "http://localhost:8004";
  std::string found;
  for (const server_step& step : {server_step{{256, 4096}, 98, server_purpose::memory_trial},
                                  server_step{{128, 512}, 97, server_purpose::measurement},
                                  server_step{{128, 512}, 97, server_purpose::profile}}) {
    found += "# " + server_log(step) + "\n" + lines_of(server_variables(request, step, "/r")) +
             lines_of(server_words(request, step, "/r"));
  }
  for (const benchmark_step& step :
       {benchmark_step{{128, 512}, at_once, 1000}, benchmark_step{{128, 512}, 9, 100, true}})
    found += "# " + benchmark_stem(step) + "\n" +
             lines_of(benchmark_words(request, step, address, "/r"));
  const search_step search{{128, 512}, 1, 13};
  found +=
      "# " + search_stem(search) + "\n" + lines_of(search_words(request, search, address, "/r"));
  found += lines_of(report_words("/r/find/probe-02.journal", "/r/x.json"));
  support::expect_golden(found, INFERBENCH_FIXTURES "/tune/commands.txt");
}

TEST(tune_commands, add_the_port_and_the_tuned_options_to_another_server) {
  const tune_request request =
      request_of({"--serve-cmd", "server -x", "--seqs-option", "seqs", "--tokens-option", "-t",
                  "--memory-option", "mem", "--profile-options=--trace={}/a{}"});
  EXPECT_THAT(
      server_words(request, {{4, 8}, 95}, "/r"),
      ElementsAre("server", "-x", "--port", "8004", "--seqs", "4", "-t", "8", "--mem", "0.95"));
  EXPECT_THAT(server_words(request, {{4, 8}, 95, server_purpose::profile}, "/{}"),
              testing::Contains("--trace=/{}/profile/a/{}/profile"));
}

TEST(tune_commands, leave_the_port_of_another_server_unless_one_is_given) {
  for (const char* command : {"s --port 9000", "s --port=9000", "s -p 9000"}) {
    EXPECT_THAT(server_words(request_of({"--serve-cmd", command}), {{4, 8}}, "/r"),
                Not(testing::Contains("8004")))
        << command;
    EXPECT_THAT(
        server_words(request_of({"--serve-cmd", command, "--port", "8004"}), {{4, 8}}, "/r"),
        IsSupersetOf({"--port", "8004"}))
        << command;
  }
}

TEST(tune_commands, do_not_name_an_option_for_the_memory_if_there_is_none) {
  const tune_request request = request_of({"--memory-option", "none"});
  for (const std::string& word : server_words(request, {{4, 8}, 95}, "/r"))
    EXPECT_THAT(word, Not(testing::HasSubstr("memory")));
}

}  // namespace
}  // namespace inferbench::tune

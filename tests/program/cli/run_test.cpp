// `inferbench run`: the run that files describe.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(run, makes_the_same_plan_from_a_file_as_serve_from_flags) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  auto flags = sharegpt(server, where, "25");
  add(flags, {"--max-concurrency", "4", "--print-config"});
  const finished printed = inferbench(flags);
  ASSERT_EQ(printed.status, 0) << printed.err;
  const std::string file = where.write("job.toml", printed.out);
  const finished run = inferbench({"run", file});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result_in(where);
  EXPECT_EQ(number(json, "completed"), 25);
  EXPECT_EQ(json["max_concurrency"].GetInt(), 4);
  // The printed files differ only in the places of the values.
  const finished again = inferbench({"run", file, "--print-config"});
  EXPECT_EQ(without_places(again.out), without_places(printed.out));
  EXPECT_NE(printed.out.find("max-concurrency = 4  # --max-concurrency\n"), std::string::npos);
  EXPECT_NE(again.out.find("  # " + file + ":"), std::string::npos);
}

TEST(run, lays_files_one_over_the_other) {
  const folder where;
  const std::string base = where.write("base.toml", R"([backend]
use = "openai"
[load]
request-rate = 5.0
max-concurrency = 4
[[reporter]]
use = "console"
)");
  const std::string team = where.write("team.toml", R"([load]
request-rate = 7.0
[[reporter]]
extend = true
use = "json"
)");
  const finished both = inferbench({"run", base, team, "--set", "run.seed=3", "--print-config"});
  ASSERT_EQ(both.status, 0) << both.err;
  for (const std::string& line : std::vector<std::string>{
           "request-rate = 7.0  # " + team + ":2\n", "max-concurrency = 4  # " + base + ":5\n",
           "seed = 3  # --set run.seed\n", "use = \"console\"  # " + base + ":7\n",
           "use = \"json\"  # " + team + ":5\n"})
    EXPECT_NE(both.out.find(line), std::string::npos) << line << both.out;
}

TEST(run, takes_overrides_and_several_reporters) {
  const folder where;
  const folder other;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  const std::string file = where.write("job.toml", R"([server]
base-url = ")" + server.url() + R"("

[backend]
use = "openai-chat"

[tokenizer]
use = "bytes"

[dataset]
use = "random"
num-prompts = 5
input-len = 20
output-len = 3

[[reporter]]
use = "json"
result-dir = ")" + where.path() + R"("

[[reporter]]
use = "json"
result-dir = ")" + other.path() + R"("
)");
  const finished run = inferbench({"run", file, "--set", "dataset.num-prompts=9"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(number(result_in(where), "completed"), 9);
  EXPECT_EQ(number(result_in(other), "completed"), 9);
  EXPECT_THAT(run.out, Not(HasSubstr("Serving Benchmark Result")));
}

}  // namespace
}  // namespace inferbench::testing

// A plugin that takes the whole process with it: what is left to the user.
#include <chrono>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;

TEST(crash_of_a_plugin, names_it_and_leaves_a_journal_with_what_was_done) {
  const folder where;
  const simulator server({"--ttft", "1ms", "--itl", "1ms"});
  const std::string when = where.path("now");
  const std::string journal = where.path("run.journal");
  process run({"serve", "--backend", CRASHING_BACKEND, "--crashing-when", when, "--base-url",
               server.url(), "--tokenizer-mode", "bytes", "--dataset-name", "sharegpt",
               "--dataset-path", fixture("datasets/sharegpt.json"), "--num-prompts", "1000000",
               "--max-concurrency", "8", "--journal", journal});
  while (run.running() && read(journal).size() < 20'000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  where.write("now", "");
  const finished end = run.wait();
  EXPECT_EQ(end.status, 128 + SIGSEGV);
  EXPECT_THAT(
      end.err,
      HasSubstr("inferbench: Segmentation fault: crash inside backend crashing 0.1.0, on_message; "
                "inferbench report " +
                journal + " shows what was measured\n"));

  const finished again = inferbench({"report", journal, "--reporter", "json", "--result-filename",
                                     "again.json", "--result-dir", where.path()});
  EXPECT_EQ(again.status, 0) << again.err;
  const std::string path = where.path("again.json");
  const auto json = base::parse_json(read(path), path);
  EXPECT_GT(json["completed"].GetInt64(), 0);
  EXPECT_EQ(json["failed"].GetInt64(), 0);
  EXPECT_EQ(json["total_output_tokens"].GetInt64(), 4 * json["completed"].GetInt64());
}

}  // namespace
}  // namespace inferbench::testing

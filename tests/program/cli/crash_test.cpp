// Tests what the user gets if a plugin crashes the whole process.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;

// A run with a backend that ends the process in the middle of the run, in a given way.
class crash_of_a_plugin : public ::testing::Test {
 protected:
  process start(const std::string& how, const std::vector<std::string>& more) {
    std::vector<std::string> all = {"serve",
                                    "--backend",
                                    CRASHING_BACKEND,
                                    "--crashing-when",
                                    where.path("now"),
                                    "--crashing-how",
                                    how,
                                    "--base-url",
                                    server.url(),
                                    "--tokenizer-mode",
                                    "bytes",
                                    "--dataset-name",
                                    "sharegpt",
                                    "--dataset-path",
                                    fixture("datasets/sharegpt.json"),
                                    "--num-prompts",
                                    "1000000",
                                    "--max-concurrency",
                                    "8"};
    all.insert(all.end(), more.begin(), more.end());
    return process(all);
  }
  finished end_of(const std::string& how) {
    process run = start(how, {"--journal", journal});
    go_when_some_are_done(run);
    return run.wait();
  }
  void go_when_some_are_done(process& run) {
    while (run.running() && read(journal).size() < 20'000)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    where.write("now", "");
  }

  const folder where;
  const simulator server{{"--ttft", "1ms", "--itl", "1ms"}};
  const std::string journal = where.path("run.journal");
  const std::string advice =
      "; inferbench report " + journal + " shows what was measured, but for the last second\n";
};

TEST_F(crash_of_a_plugin, names_it_and_leaves_a_journal_with_the_finished_requests) {
  const finished end = end_of("crash");
  EXPECT_EQ(end.status, 128 + SIGSEGV);
  EXPECT_THAT(end.err, HasSubstr("inferbench: Segmentation fault: crash inside backend crashing "
                                 "0.1.0, on_message" +
                                 advice));

  const finished again = inferbench({"report", journal, "--reporter", "json", "--result-filename",
                                     "again.json", "--result-dir", where.path()});
  EXPECT_EQ(again.status, 0) << again.err;
  const std::string path = where.path("again.json");
  const auto json = base::parse_json(read(path), path);
  const std::int64_t completed = json["completed"].GetInt64();
  EXPECT_GT(completed, 0);
  EXPECT_EQ(json["failed"].GetInt64(), 0);
  EXPECT_EQ(json["total_output_tokens"].GetInt64(), 4 * completed);
  const auto& accounting = json["inferbench"]["facts"]["accounting"];
  EXPECT_EQ(accounting["never_sent"].GetInt64(), 0);
  EXPECT_EQ(accounting["not_recorded"].GetInt64(), 1'000'000 - completed);
  const finished shown = inferbench({"report", journal});
  EXPECT_THAT(shown.out, HasSubstr("\nPlanned = sent + not recorded:           1000000 = "));
}

TEST_F(crash_of_a_plugin, on_a_thread_of_its_own_is_known_by_its_code) {
  const finished end = end_of("thread");
  EXPECT_THAT(end.err, HasSubstr(": crash in " CRASHING_BACKEND ", outside of its calls" + advice));
}

TEST_F(crash_of_a_plugin, that_ends_the_process_itself_is_named_too) {
  const finished end = end_of("exit");
  EXPECT_THAT(end.err,
              HasSubstr("inferbench: exit() was called inside backend crashing 0.1.0, on_message" +
                        advice));
}

TEST_F(crash_of_a_plugin, that_does_not_return_is_named_when_the_run_is_stopped) {
  process run = start("hang", {"--journal", journal});
  go_when_some_are_done(run);
  const std::string told =
      "the run does not end yet: a thread is inside backend crashing 0.1.0, on_message; the next "
      "signal ends the process at once\n";
  // If the run were cancelled before the plugin gets one more message, it would not hang.
  while (run.running() && std::filesystem::exists(where.path("now")))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  run.signal(SIGINT);
  while (run.running() && run.err_so_far().find(told) == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(run.running()) << run.err_so_far();
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().status, 128 + SIGINT);
}

TEST_F(crash_of_a_plugin, reports_that_there_is_no_journal) {
  process run = start("crash", {"--disable-tqdm"});
  where.write("now", "");
  const finished end = run.wait();
  EXPECT_EQ(end.status, 128 + SIGSEGV);
  EXPECT_THAT(end.err, HasSubstr("with --journal FILE most of what was measured would be left"));
}

}  // namespace
}  // namespace inferbench::testing

// `inferbench report A.journal B.journal`: runs against the simulator, side by side.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two journals of runs that differ in their concurrency.
class side_by_side : public ::testing::Test {
 protected:
  side_by_side() {
    simulator server({"--ttft", "1ms", "--itl", "0"});
    for (const char* concurrency : {"1", "2"}) {
      const finished run = inferbench(
          {"serve", "--base-url", server.url(), "--model", "m", "--tokenizer-mode", "bytes",
           "--num-prompts", "4", "--random-input-len", "9", "--random-output-len", "3",
           "--disable-tqdm", "--max-concurrency", concurrency, "--journal", journal(concurrency)});
      EXPECT_EQ(run.status, 0) << run.err;
    }
  }
  [[nodiscard]] std::string journal(const std::string& concurrency) const {
    return where.path("c" + concurrency + ".journal");
  }

  folder where;
};

TEST_F(side_by_side, journals_are_columns_with_what_differs) {
  const finished shown = inferbench({"report", journal("1"), journal("2")});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("1  c1  (" + journal("1") + ")"), HasSubstr("4 / 0"),
                               HasSubstr("Mean TTFT (ms)"),
                               HasSubstr("load.max-concurrency\n    1  1\n    2  2\n"),
                               HasSubstr("n = 1 for each side")));
  EXPECT_THAT(shown.out, Not(HasSubstr("run.journal")));
}

TEST_F(side_by_side, a_damaged_journal_is_reported_as_far_as_it_is_readable) {
  std::filesystem::resize_file(journal("2"), std::filesystem::file_size(journal("2")) - 5);
  const finished shown = inferbench({"report", journal("1"), journal("2")});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.err, HasSubstr("c2.journal"));
  EXPECT_THAT(shown.out, AllOf(HasSubstr("journal damaged at 1 place: 4 records read"),
                               HasSubstr("stopped before its end"), HasSubstr("4 / 0")));
}

TEST_F(side_by_side, a_reporter_of_single_runs_is_refused_by_name) {
  const finished refused =
      inferbench({"report", journal("1"), journal("2"), "--reporter", "pytorch"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("reporter pytorch shows one run, and not 2 side by side"),
                    HasSubstr("console")));
}

TEST_F(side_by_side, a_file_that_is_no_journal_is_named_before_anything_is_printed) {
  const std::string other = where.write("other.journal", "no journal at all");
  const finished refused = inferbench({"report", journal("1"), other});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("other.journal"));
}

}  // namespace
}  // namespace inferbench::testing

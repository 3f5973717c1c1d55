#include "compare/paired_runs.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "framework/experiment/experiment_box.hpp"
#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace fs = std::filesystem;

/// Two arms whose benchmark is a line of sh; its last argument is --reporter's value json=FILE.
class pair_box : public run_box {
 public:
  /// `lines` have the file of the result in $file, and the number of earlier runs in $count.
  explicit pair_box(const std::string& lines = {}, const written_run& result = {}) {
    const std::string script = "file=${1#json=}; log='" + folder.path("log") +
                               "'; touch \"$log\"; count=$(wc -l < \"$log\"); " + lines + "echo '" +
                               result_text(result) + "' > \"$file\"; echo ARM \"$2\" >> \"$log\"";
    for (std::size_t i = 0; i < arms.size(); ++i) {
      arms[i].name = i == 0 ? "a.toml" : "b.toml";
      arms[i].folder = i == 0 ? "1-a" : "2-b";
      // "$1" of the line is the word behind --reporter.
      arms[i].runs.bench_command = {"sh", "-c", "shift; " + replaced(script, i)};
      arms[i].runs.bench_command.emplace_back("sh");
      arms[i].runs.result_reporter = "json";
    }
  }

  pair_outcome make(std::size_t blocks, bool resume) {
    const pair_folder into(folder.path("results"), {{"a", "b"}, {"1", "2"}}, blocks, resume);
    return make_paired_runs(arms, blocks, into,
                            {.out = out_.get(),
                             .stop = stop,
                             .wait_until_idle = [this] { ++waits; },
                             .server_answers = [this] { return server_answers; }});
  }
  /// The lines for the user.
  [[nodiscard]] std::string printed() { return out_.text(); }
  /// The arms of the runs in the order in which they were made: "ABBA".
  [[nodiscard]] std::string order() const {
    std::string out;
    for (const char c : base::read_file(folder.path("log")))
      if (c == '1' || c == '2') out += c == '1' ? 'A' : 'B';
    return out;
  }

  std::array<arm, 2> arms;
  std::atomic<bool> stop = false;
  int waits = 0;
  bool server_answers = true;

 private:
  static std::string replaced(std::string script, std::size_t arm) {
    const auto at = script.rfind("ARM \"$2\"");
    return script.replace(at, 8, std::to_string(arm + 1));
  }
  experiment::kept_output out_;
};

TEST(paired_runs, are_made_in_the_order_abba) {
  EXPECT_THAT(abba_order(2), ElementsAre(planned_pair_run{0, 0, 0}, planned_pair_run{0, 1, 0},
                                         planned_pair_run{0, 1, 1}, planned_pair_run{0, 0, 1},
                                         planned_pair_run{1, 0, 0}, planned_pair_run{1, 1, 0},
                                         planned_pair_run{1, 1, 1}, planned_pair_run{1, 0, 1}));
  pair_box box;
  const pair_outcome made = box.make(2, false);
  EXPECT_EQ(box.order(), "ABBAABBA");
  EXPECT_EQ(box.waits, 8);
  EXPECT_EQ(made.whole_blocks, 2U);
  EXPECT_FALSE(made.interrupted);
  EXPECT_THAT(made.files[0], SizeIs(4));
  EXPECT_THAT(made.files[1], SizeIs(4));
}

TEST(paired_runs, have_lines_with_the_number_of_failed_requests) {
  pair_box failing({}, {.completed = 17, .failed = 3});
  (void)failing.make(1, false);
  EXPECT_THAT(
      failing.printed(),
      HasSubstr("block 1 of 1, a.toml: 10 req/s, median TTFT 50 ms, p99 TPOT 10 ms, 3 of 20 "
                "requests failed\n"));
  pair_box cancelled({}, {.completed = 17,
                          .failed = 3,
                          .more = R"(, "inferbench": {"facts": {"accounting": {"failed": 0}}})"});
  (void)cancelled.make(1, false);
  EXPECT_THAT(cancelled.printed(), HasSubstr("p99 TPOT 10 ms\n"));
}

TEST(paired_runs, end_when_the_server_is_gone_and_the_run_has_no_result) {
  pair_box box({}, {.completed = 17, .failed = 3});
  box.server_answers = false;
  try {
    (void)box.make(1, false);
    FAIL() << "the server is gone";
  } catch (const base::error& why) {
    EXPECT_THAT(why.what(), HasSubstr("block 1 of 1, a.toml: requests failed and the server does "
                                      "not answer any more; start the server again, and continue "
                                      "with --resume --result-dir "));
  }
  EXPECT_EQ(box.order(), "A");
  box.server_answers = true;
  EXPECT_THAT(box.make(1, true).files[0], SizeIs(2));
  EXPECT_EQ(box.order(), "AABBA");
}

TEST(paired_runs, say_in_their_results_which_belong_together) {
  pair_box box;
  const pair_outcome made = box.make(1, false);
  const measured_run second = read_run(made.files[1][1], {}, box.log);
  ASSERT_TRUE(second.place.has_value());
  EXPECT_EQ(second.place->arm, 1U);
  EXPECT_EQ(second.place->block, 0U);
  EXPECT_EQ(second.place->number, 1U);
  EXPECT_EQ(second.place->id, read_run(made.files[0][0], {}, box.log).place->id);
}

TEST(paired_runs, are_not_repeated_when_the_comparison_is_continued) {
  pair_box box;
  (void)box.make(1, false);
  fs::remove(fs::path(box.folder.path("results")) / "2-b" / "block=0-run=0.json");
  const pair_outcome made = box.make(2, true);
  EXPECT_EQ(box.order(), "ABBABABBA");
  EXPECT_EQ(made.whole_blocks, 2U);
}

TEST(paired_runs, end_with_a_run_that_fails_and_keep_the_others) {
  pair_box box("if [ $count = 2 ]; then echo no memory >&2; exit 7; fi; ");
  const std::string why = box.refusal([&] { (void)box.make(1, false); });
  EXPECT_THAT(why, HasSubstr("block 1 of 1, b.toml: the benchmark sh ended with exit status 7"));
  EXPECT_THAT(why, HasSubstr("no memory"));
  EXPECT_THAT(why, HasSubstr("--resume --result-dir results"));
  EXPECT_TRUE(fs::exists(box.folder.path("results/1-a/block=0-run=0.json")));
  EXPECT_TRUE(fs::exists(box.folder.path("results/2-b/block=0-run=0.json")));
  EXPECT_FALSE(fs::exists(box.folder.path("results/.part")));
}

TEST(paired_runs, keep_their_results_when_the_user_interrupts) {
  pair_box box;
  (void)box.make(1, false);
  box.stop = true;
  const pair_outcome made = box.make(2, true);
  EXPECT_TRUE(made.interrupted);
  EXPECT_EQ(made.whole_blocks, 1U);
  EXPECT_EQ(box.order(), "ABBA");
}

TEST(paired_runs, replace_a_result_of_another_comparison) {
  pair_box box;
  (void)box.make(1, false);
  box.write("results/1-a/block=0-run=0.json");
  (void)box.make(1, true);
  EXPECT_EQ(box.order(), "ABBAA");
}

}  // namespace
}  // namespace inferbench::compare

#include "experiment/trial.hpp"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/sweep_failures.hpp"
#include "experiment_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

/// A trial whose benchmark is lines of sh; $part is the file that they write.
class trial_box {
 public:
  trial_box() {
    here.serve = experiment_box::items(R"([{"a": 1}])").front();
    here.bench = experiment_box::items(R"([{"b": 2}])").front();
    here.run_number = 1;
    here.file = folder.root / "SERVE" / "run=1.json";
    here.part = folder.root / ".part" / "SERVE" / "run=1.json";
  }

  sweep::run_object carry_out(const std::string& lines) {
    here.command = {"sh", "-c", "part='" + here.part.string() + "'; " + lines};
    return carried_out(here, {.console = console_, .stop = stop_});
  }
  /// "TYPE: MESSAGE" of the failure.
  std::string failure_of(const std::string& lines) {
    try {
      static_cast<void>(carry_out(lines));
    } catch (const failed_run& e) {
      const std::string text = e.whole_text();
      const auto at = text.find(folder.path());
      return e.type() + ": " +
             (at == std::string::npos ? text
                                      : std::string(text).replace(at, folder.path().size(), "BOX"));
    }
    return {};
  }
  std::string said;
  sweep::run_object found() {
    return found_result(here, [this](const std::string& text) { said += text; });
  }

  support::temporary_folder folder;
  trial here;

 private:
  kept_output out_;
  sweep_console console_{out_.get(), false, [](std::string_view) {}};
  std::atomic<bool> stop_ = false;
};

TEST(trial, writes_below_part_and_has_a_file_of_its_own_kind_for_the_warm_up) {
  experiment_box box;
  box.plan.warmup_prompts = 7;
  box.plan.bench_command = {"bench"};
  const experiment_folder folder(box.plan, [](const std::string&) {});
  const combination what =
      combination_of(box.plan, {}, experiment_box::items(R"([{"num_prompts": 9}])").front(), "B");
  const trial first = trial_of(box.plan, folder, what, 0);
  EXPECT_EQ(first.file, box.file("B/run=0.json"));
  EXPECT_EQ(first.part, box.file(".part/B/run=0.json"));
  EXPECT_THAT(first.command,
              ElementsAre("bench", "--num-prompts", "9", "--percentile-metrics",
                          "ttft,tpot,itl,e2el", "--save-result", "--result-dir",
                          box.file(".part/B").string(), "--result-filename", "run=0.json"));
  const trial warm_up = trial_of(box.plan, folder, what, -1);
  EXPECT_EQ(warm_up.file, box.file("B/warmup.json"));
  EXPECT_EQ(warm_up.command.at(2), "7");
}

TEST(trial, has_the_result_of_its_benchmark_with_the_parameters) {
  trial_box box;
  const sweep::run_object made = box.carry_out(R"(echo '{"x": 0.10}' >"$part")");
  EXPECT_EQ(base::read_file(box.here.file.string()),
            "{\n    \"x\": 0.1,\n    \"run_number\": 1,\n    \"a\": 1,\n    \"b\": 2\n}");
  EXPECT_FALSE(fs::exists(box.here.part));
  const sweep::run_object found = box.found();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found, *made);
  EXPECT_EQ(box.said, "");
}

TEST(trial, has_no_result_without_a_file) {
  trial_box box;
  EXPECT_EQ(box.found(), nullptr);
  EXPECT_EQ(box.said, "");
}

TEST(trial, says_why_a_file_is_no_result) {
  trial_box box;
  box.folder.write("SERVE/run=1.json", "{\"x\":");
  EXPECT_EQ(box.found(), nullptr);
  EXPECT_THAT(box.said, AllOf(HasSubstr("Not usable, so the run is made again: "),
                              HasSubstr("run=1.json:1:6: malformed JSON")));
}

TEST(trial, fails_with_its_benchmark) {
  trial_box box;
  EXPECT_EQ(box.failure_of("echo '{}' >\"$part\"; echo no memory; exit 2"),
            "CalledProcessError: the benchmark sh ended with exit status 2; the last lines of its "
            "output:\nno memory");
  EXPECT_EQ(box.failure_of("kill -9 $$"),
            "CalledProcessError: the benchmark sh ended with Killed (signal 9)");
  EXPECT_EQ(box.failure_of("exit 3"),
            "CalledProcessError: the benchmark sh ended with exit status 3");
  EXPECT_FALSE(fs::exists(box.here.file));
}

TEST(trial, fails_without_a_result_and_does_not_take_the_file_of_an_earlier_run) {
  trial_box box;
  box.folder.write(".part/SERVE/run=1.json", "{}");
  EXPECT_EQ(box.failure_of("true"),
            "FileNotFoundError: the benchmark sh ended without an error, but wrote no result to "
            "BOX/.part/SERVE/run=1.json");
}

TEST(trial, fails_with_a_result_that_is_cut_or_no_object) {
  trial_box box;
  for (const char* text : {"{\"a\": 1", "[1]", "", "nan", "<html>"})
    EXPECT_THAT(box.failure_of("printf '%s' '" + std::string(text) + "' >\"$part\""),
                HasSubstr("ValueError: the benchmark wrote no usable result: BOX/.part/"))
        << text;
  EXPECT_THAT(box.failure_of("mkdir \"$part\""), HasSubstr("ValueError: "));
  std::filesystem::remove(box.here.part);
  EXPECT_EQ(box.failure_of("mkfifo \"$part\""),
            "ValueError: the benchmark wrote no usable result: BOX/.part/SERVE/run=1.json is not a "
            "regular file");
  EXPECT_FALSE(fs::exists(box.here.file));
}

TEST(trial, fails_if_there_is_no_such_program) {
  trial_box box;
  box.here.command = {"/no/such/program"};
  kept_output out;
  sweep_console console(out.get(), false, [](std::string_view) {});
  const std::atomic<bool> stop = false;
  try {
    static_cast<void>(carried_out(box.here, {.console = console, .stop = stop}));
    FAIL() << "no exception";
  } catch (const failed_run& e) {
    EXPECT_EQ(e.type(), "FileNotFoundError");
    EXPECT_THAT(e.what(), HasSubstr("cannot start /no/such/program"));
  }
}

TEST(trial, removes_the_description_of_an_earlier_failure) {
  trial_box box;
  box.folder.write("SERVE/run=1.failure.json", "{}");
  static_cast<void>(box.carry_out("echo '{}' >\"$part\""));
  EXPECT_FALSE(fs::exists(failure_file_of(box.here.file)));
}

TEST(can_have_result, is_also_true_for_the_verdicts_of_inferbench) {
  const auto exited = [](int status) { return status << 8; };
  EXPECT_TRUE(can_have_result("vllm", exited(0)));
  EXPECT_FALSE(can_have_result("vllm", exited(3)));
  EXPECT_TRUE(can_have_result("/opt/bin/inferbench", exited(3)));
  EXPECT_TRUE(can_have_result("inferbench", exited(4)));
  EXPECT_FALSE(can_have_result("inferbench", exited(1)));
  EXPECT_FALSE(can_have_result("inferbench", exited(2)));
  EXPECT_FALSE(can_have_result("inferbench", SIGKILL));
}

}  // namespace
}  // namespace inferbench::experiment

// Tests the files of the reporter `json`: their names, appending and replacing, links, devices, and
// files that cannot be written.
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "driver.hpp"
#include "json_file.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST_F(json_file, the_name_is_made_of_label_rate_cap_model_and_date) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  ASSERT_TRUE(report_with("json", here, plain_run()).ok);
  EXPECT_THAT(files(), ElementsAre("openai-infqps-small-7b-20261120-063000.json"));
  fs::remove(folder / files()[0]);
  ASSERT_TRUE(report_with("json", here, strained_run()).ok);
  EXPECT_THAT(files(), ElementsAre("night-run-10.5qps-concurrency8-small-20261120-063000.json"));
}

TEST_F(json_file, a_trace_whose_journal_says_rate_zero_has_the_infinite_one) {
  input in = plain_run();
  const std::string rate = R"("request_rate": "inf")";
  in.resolved.replace(in.resolved.find(rate), rate.size(), R"("request_rate": 0.0)");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre(HasSubstr("openai-infqps-")));
}

TEST_F(json_file, the_name_of_a_ramp_up_has_its_rates_instead) {
  input in = closed_run();
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-ramp-up-exponential-1qps-20qps-concurrency2-small-7b-"
                                   "20261120-063000.json"));
}

TEST_F(json_file, the_name_of_a_traffic_pattern_has_its_kind_instead) {
  input in = plain_run();
  in.resolved.insert(1, R"("traffic": "steps:0s=10,30s=50", )");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-traffic-steps-small-7b-20261120-063000.json"));
}

TEST_F(json_file, the_name_of_one_of_several_runs_has_its_number) {
  input in = plain_run();
  in.resolved.insert(1, R"("run": {"number": 2, "of": 3}, )");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-infqps-small-7b-20261120-063000-run2.json"));
}

TEST_F(json_file, two_runs_that_end_in_one_second_have_separate_files) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  input in = plain_run();
  const std::string stem = "openai-infqps-small-7b-20261120-063000";
  for (const char* name : {"run-1", "run-2", "run-3"}) {
    in.name = name;
    ASSERT_TRUE(report_with("json", here, in).ok);
    ASSERT_TRUE(report_with("timeline", here, in).ok);
    ASSERT_TRUE(report_with("pytorch", here, in).ok);
  }
  EXPECT_THAT(files(), UnorderedElementsAre(
                           stem + ".json", stem + ".timeline.html", stem + ".pytorch.json",
                           stem + "-2.json", stem + "-2.timeline.html", stem + "-2.pytorch.json",
                           stem + "-3.json", stem + "-3.timeline.html", stem + "-3.pytorch.json"));
  EXPECT_THAT(text(stem + "-2.json"), HasSubstr("\"run\": \"run-2\""));
}

TEST_F(json_file, a_report_made_again_replaces_that_of_the_same_run) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  input in = plain_run();
  ASSERT_TRUE(report_with("json", here, in).ok);
  in.name = "run-2";
  ASSERT_TRUE(report_with("json", here, in).ok);
  ASSERT_TRUE(report_with("json", here, in).ok);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(json_file, that_is_appended_to_or_named_is_one_for_all_runs) {
  input in = plain_run();
  for (const char* name : {"run-1", "run-2"}) {
    in.name = name;
    ASSERT_TRUE(report_with("json", named(), in).ok);
    ASSERT_TRUE(
        report_with("json", {{"result-dir", folder.string()}, {"append-result", true}}, in).ok);
  }
  const std::string generated = "openai-infqps-small-7b-20261120-063000.json";
  EXPECT_THAT(files(), UnorderedElementsAre("r.json", generated));
  EXPECT_THAT(text(), HasSubstr("\"run-2\""));
  EXPECT_THAT(text(generated), HasSubstr("}\n{"));
}

TEST_F(json_file, a_temporary_file_of_a_dead_process_is_removed) {
  std::ofstream(folder / ".inferbench-4711-0.tmp") << "half of a result";
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_THAT(files(), ElementsAre("r.json"));
}

TEST_F(json_file, folders_above_the_result_are_made) {
  const std::string deep = (folder / "a/b/c").string();
  const outcome o = report_with(
      "json", {{"result-dir", deep}, {"result-filename", std::string("x.json")}}, plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_TRUE(fs::exists(deep + "/x.json"));
}

TEST_F(json_file, appending_makes_json_lines_without_a_last_end) {
  const auto append = named({{"append-result", true}});
  ASSERT_TRUE(report_with("json", append, plain_run()).ok);
  ASSERT_TRUE(report_with("json", append, plain_run()).ok);
  EXPECT_EQ(text(), golden("plain.json") + "\n" + golden("plain.json"));
}

TEST_F(json_file, replacing_leaves_nothing_of_the_old_file) {
  std::ofstream(folder / "r.json") << std::string(100'000, 'x');
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  expect_golden(text(), "plain.json");
  EXPECT_THAT(files(), ElementsAre("r.json"));  // no temporary file is left
}

TEST_F(json_file, a_symbolic_link_stays_one) {
  std::ofstream(folder / "target.json") << "old";
  fs::create_symlink("target.json", folder / "r.json");
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_TRUE(fs::is_symlink(folder / "r.json"));
  EXPECT_EQ(text("target.json"), golden("plain.json"));
}

TEST_F(json_file, a_symbolic_link_to_a_missing_file_creates_the_file) {
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/second.json", folder / "r.json");
  fs::create_symlink(folder / "deep" / "target.json", folder / "deep" / "second.json");
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_TRUE(fs::is_symlink(folder / "r.json"));
  EXPECT_EQ(text("deep/target.json"), golden("plain.json"));
}

TEST_F(json_file, a_symbolic_link_to_itself_is_reported) {
  fs::create_symlink("r.json", folder / "r.json");
  const outcome o = report_with("json", named({{"append-result", true}}), plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("cannot open " + (folder / "r.json").string() +
                                             ": Too many levels of symbolic links")));
}

TEST_F(json_file, a_device_is_written_to_and_stays_a_device) {
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/null")}}, plain_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  struct stat about{};
  ASSERT_EQ(::stat("/dev/null", &about), 0);
  EXPECT_TRUE(S_ISCHR(about.st_mode));
}

/// If the tests run as root, makes the real user an ordinary user without write access everywhere:
/// access(2) checks the real user.
class ordinary_user {
 public:
  ordinary_user() : before_(::getuid()) { done_ = ::setreuid(nobody, uid_t(-1)) == 0; }
  ordinary_user(const ordinary_user&) = delete;
  ordinary_user& operator=(const ordinary_user&) = delete;
  ~ordinary_user() {
    if (done_ && ::setreuid(before_, uid_t(-1)) != 0) std::abort();
  }

 private:
  static constexpr uid_t nobody = 65534;
  uid_t before_;
  bool done_;
};

TEST_F(json_file, a_device_needs_no_right_to_its_folder) {
  const ordinary_user user;
  if (::access("/dev", W_OK) == 0) GTEST_SKIP() << "there is no user without a right to /dev";
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/null")}}, plain_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
}

// The reason why the reporter cannot be created.
std::string refusal_of(const std::vector<setting>& given) {
  try {
    (void)report_with("json", given, plain_run());
    return "made";
  } catch (const std::exception& e) {
    return e.what();
  }
}

TEST_F(json_file, a_file_that_may_not_be_written_is_reported_before_the_run) {
  std::ofstream(folder / "r.json") << "old";
  ::chmod((folder / "r.json").c_str(), 0444);
  ::chmod(folder.c_str(), 0555);
  {
    const ordinary_user user;
    if (::access(folder.c_str(), W_OK) == 0) GTEST_SKIP() << "every user may write everywhere";
    EXPECT_THAT(refusal_of(named()), HasSubstr("the folder " + folder.string() +
                                               " cannot be written to: Permission denied"));
    EXPECT_THAT(refusal_of(named({{"append-result", true}})),
                HasSubstr("r.json cannot be written to: Permission denied"));
  }
  ::chmod(folder.c_str(), 0700);
  EXPECT_EQ(base::read_file((folder / "r.json").string()), "old");
}

TEST_F(json_file, a_full_disk_is_reported) {
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/full")}}, plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("cannot write to /dev/full: No space left")));
}

TEST_F(json_file, a_missing_folder_in_the_name_is_reported_before_the_run) {
  EXPECT_THAT(refusal_of({{"result-filename", (folder / "missing" / "x.json").string()}}),
              HasSubstr("there is no folder " + (folder / "missing").string()));
}

TEST_F(json_file, an_impossible_file_name_is_reported_before_the_run) {
  const outcome o = report_with(
      "json", {{"result-dir", folder.string()}, {"label", std::string(300, 'x')}}, plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("longer than 255 bytes")));
}

}  // namespace
}  // namespace inferbench::reporters_test

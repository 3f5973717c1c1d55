// Tests the rules about reporters: which reporters the flags choose, and flags about a result or a
// figure that no reporter writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/rules_bench.hpp"

namespace inferbench::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class reporter_rules : public rules_bench {};

TEST_F(reporter_rules, a_plot_that_no_reporter_of_the_file_draws_is_a_warning) {
  const std::string file = "[run]\nplot-timeline = true\nplot-dataset-stats = true\n";
  EXPECT_THAT(parse_file(file + "[[reporter]]\nuse = \"timeline\"\n").warnings,
              Contains(StartsWith("run.plot-dataset-stats has no effect: the file names its")));
  const auto idle = Contains(testing::HasSubstr("has no effect"));
  EXPECT_THAT(parse_file(file).warnings, testing::Not(idle));
}

TEST_F(reporter_rules, a_variable_that_the_reporters_of_the_file_do_not_hear_is_a_warning) {
  const auto idle = Contains(
      "$SAVE_TO_PYTORCH_BENCHMARK_FORMAT has no effect: the file names its reporters; add "
      "[[reporter]] with use = \"pytorch\"");
  const std::string file = "[[reporter]]\nuse = \"json\"\n";
  EXPECT_THAT(parse_file(file).warnings, testing::Not(idle));
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "1";
  EXPECT_THAT(parse_file(file).warnings, idle);
  EXPECT_THAT(parse_file(file + "[[reporter]]\nuse = \"pytorch\"\n").warnings, testing::Not(idle));
  EXPECT_THAT(parse_file("[run]\nsave-result = true\n").warnings, testing::Not(idle));
  // The variable concerns only saved results.
  EXPECT_THAT(parse_file("[[reporter]]\nuse = \"console\"\n").warnings, testing::Not(idle));
  EXPECT_THAT(parse({}).warnings, testing::Not(idle));
}

TEST_F(reporter_rules, flags_choose_reporters) {
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "1";
  const auto names = [&](std::vector<std::string> args) {
    std::vector<std::string> out;
    for (const options::plugin_choice& reporter : parse(std::move(args)).plan.reporters)
      out.push_back(reporter.use);
    return out;
  };
  EXPECT_THAT(names({}), ElementsAre("console"));
  EXPECT_THAT(names({"--plot-timeline"}), ElementsAre("console", "timeline"));
  EXPECT_THAT(names({"--append-result", "--plot-dataset-stats", "--plot-timeline"}),
              ElementsAre("console", "json", "pytorch", "timeline", "dataset-stats"));
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "";
  EXPECT_THAT(names({"--save-result"}), ElementsAre("console", "json"));
}

TEST_F(reporter_rules, reporters_of_plots_get_the_thresholds_and_the_folder_of_results) {
  const plan p =
      parse({"--plot-timeline", "--plot-dataset-stats", "--timeline-itl-thresholds", "10.5, 20",
             "--result-dir", "out", "--label", "l", "--result-filename", "r.json"})
          .plan;
  const options::plugin_choice& timeline = p.reporters[1];
  EXPECT_THAT(timeline.find("itl-thresholds")->list, ElementsAre("10.5", "20.0"));
  EXPECT_EQ(timeline.find("result-dir")->text, "out");
  EXPECT_EQ(timeline.find("label")->text, "l");
  // A plugin may declare the thresholds as one text.
  EXPECT_EQ(p.reporters[2].find("itl-thresholds")->text, "10.5,20.0");
  EXPECT_EQ(p.reporters[2].find("result-filename")->text, "r.json");
}

TEST_F(reporter_rules, thresholds_without_a_timeline_cause_a_warning) {
  EXPECT_THAT(parse({"--timeline-itl-thresholds", "5,10"}).warnings,
              Contains("--timeline-itl-thresholds has no effect without --plot-timeline"));
  EXPECT_THAT(parse({"--timeline-itl-thresholds", "5,10", "--reporter", "timeline"}).warnings,
              IsEmpty());
}

TEST_F(reporter_rules, flags_about_a_result_that_is_not_saved_cause_a_warning) {
  const auto warnings = [&](std::vector<std::string> args) { return parse(args).warnings; };
  const std::string unsaved = "no result is saved without --save-result; without effect: ";
  EXPECT_THAT(warnings({"--save-detailed"}), ElementsAre(unsaved + "--save-detailed"));
  EXPECT_THAT(warnings({"--metadata", "a=b", "--label", "l", "--result-dir", "d",
                        "--result-filename", "f"}),
              ElementsAre(unsaved + "--result-filename, --result-dir, --label, --metadata"));
  for (const char* saving : {"--save-result", "--append-result"})
    EXPECT_THAT(warnings({"--save-detailed", "--metadata", "a=b", saving}), IsEmpty());
  // A reporter that draws uses folder and label, and the journal stores label and metadata.
  EXPECT_THAT(warnings({"--plot-timeline", "--result-dir", "d", "--label", "l"}), IsEmpty());
  EXPECT_THAT(warnings({"--journal", "j", "--label", "l", "--metadata", "a=b"}), IsEmpty());
  EXPECT_THAT(warnings({"--journal", "none", "--label", "l"}), ElementsAre(unsaved + "--label"));
  const std::string file = "[run]\nlabel = \"l\"\n[[reporter]]\nuse = \"";
  const auto told = testing::Contains(
      "no result is saved without a [[reporter]] that writes one; without effect: run.label");
  EXPECT_THAT(parse_file(file + "console\"\n").warnings, told);
  EXPECT_THAT(parse_file(file + "json\"\n").warnings, testing::Not(told));
}

TEST_F(reporter_rules, a_reporter_of_another_author_reads_label_and_metadata_in_the_plan) {
  plugins.add_with_own(IFB_REPORTER, "guest", {});
  plugins.others.emplace_back("guest");
  const auto warnings = [&](const char* reporter, std::vector<std::string> args) {
    args.insert(args.end(), {"--reporter", reporter, "--label", "l", "--metadata", "a=b"});
    return parse(std::move(args)).warnings;
  };
  EXPECT_THAT(warnings("guest", {}), IsEmpty());
  EXPECT_THAT(warnings("guest", {"--save-detailed"}),
              ElementsAre("no result is saved without --save-result; without effect: "
                          "--save-detailed"));
  EXPECT_THAT(warnings("console", {}),
              ElementsAre("no result is saved without --save-result; without effect: --label, "
                          "--metadata"));
}

}  // namespace
}  // namespace inferbench::config

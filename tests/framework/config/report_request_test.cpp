#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class report : public testing::Test {
 protected:
  report_request parse(std::vector<std::string> args) { return parse_report(args, env, plugins); }
  std::string complaint(std::vector<std::string> args) {
    return complaint_of([&] { (void)parse(std::move(args)); });
  }
  static std::vector<std::string> uses(const report_request& r) {
    std::vector<std::string> out;
    for (const options::plugin_choice& c : r.reporters)
      out.push_back(c.use);
    return out;
  }

  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(report, without_further_flags_prints_to_the_console) {
  const report_request r = parse({"a.journal"});
  EXPECT_THAT(r.journals, ElementsAre("a.journal"));
  EXPECT_THAT(uses(r), ElementsAre("console"));
  EXPECT_THAT(r.warnings, IsEmpty());
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_EQ(plugins.looked, 1);
}

TEST_F(report, reporters_are_the_named_ones_in_their_order) {
  EXPECT_THAT(uses(parse({"j", "--reporter", "json", "--reporter", "console"})),
              ElementsAre("json", "console"));
  EXPECT_THAT(uses(parse({"--reporter", "json", "j"})), ElementsAre("json"));
  EXPECT_THAT(uses(parse({"j", "--repo", "json"})), ElementsAre("json"));
}

TEST_F(report, the_thresholds_of_a_timeline_have_the_flag_of_serve) {
  const report_request r =
      parse({"j", "--reporter", "timeline", "--timeline-itl-thresholds", "5,10"});
  EXPECT_THAT(r.reporters[0].find("itl-thresholds")->list, ElementsAre("5.0", "10.0"));
  EXPECT_THAT(r.warnings, IsEmpty());
  EXPECT_THAT(parse({"j", "--timeline-itl-thresholds", "5,10"}).warnings,
              ElementsAre(HasSubstr("--timeline-itl-thresholds has no effect")));
}

TEST_F(report, one_reporter_may_be_named_twice) {
  const report_request r =
      parse({"j", "--reporter=json=a", "--reporter=json=b", "--json-indent", "2"});
  ASSERT_EQ(r.reporters.size(), 2U);
  EXPECT_EQ(r.reporters[0].find("result-filename")->text, "a");
  EXPECT_EQ(r.reporters[1].find("result-filename")->text, "b");
  EXPECT_THAT(complaint({"j", "--reporter=json", "--reporter=json"}),
              HasSubstr("reporter json would twice write one file"));
  for (const options::plugin_choice& c : r.reporters)
    EXPECT_EQ(c.find("indent")->integer, 2);
}

TEST_F(report, a_reporter_gets_its_own_flags_general_flags_and_its_defaults) {
  env.variables["K"] = "not filled in";
  const report_request r =
      parse({"j", "--reporter", "json", "--json-ind", "3", "--result-dir", "~/r", "--label", "l",
             "--save-detailed", "--metadata", "a=1", "b=${K}", "a=2"});
  const options::plugin_choice& json = r.reporters.front();
  EXPECT_EQ(json.values.size(), json.library.options().size());
  EXPECT_EQ(json.find("indent")->integer, 3);
  EXPECT_EQ(json.find("result-dir")->text, "/home/me/r");
  EXPECT_EQ(json.find("label")->text, "l");
  EXPECT_EQ(json.find("save-detailed")->integer, 1);
  EXPECT_EQ(json.find("append-result")->integer, 0);
  EXPECT_EQ(json.find("result-filename"), nullptr);
  EXPECT_THAT(json.find("metadata")->list, ElementsAre("a=2", "b=${K}"));
  EXPECT_THAT(r.warnings, ElementsAre("--json-ind is read as --json-indent"));
}

TEST_F(report, required_options_of_a_reporter_must_be_given) {
  EXPECT_EQ(complaint({"j", "--reporter", "file"}), "reporter file needs path; set --file-path");
  EXPECT_EQ(parse({"j", "--reporter", "file", "--file-path", "x"}).reporters[0].find("path")->text,
            "x");
}

TEST_F(report, the_file_of_a_reporter_is_in_the_folder_of_results) {
  plugins.show_all();
  const auto file = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "j");
    const report_request r = parse(std::move(args));
    EXPECT_THAT(r.warnings, IsEmpty());
    const options::option_value* found = r.reporters[0].find("file");
    return found == nullptr ? std::string("none") : found->text;
  };
  EXPECT_EQ(file({"--reporter", "lines=a", "--result-dir", "out"}), "out/a");
  EXPECT_EQ(file({"--reporter", "lines=~/a", "--result-dir", "out"}), "/home/me/a");
  EXPECT_EQ(file({"--reporter", "lines=-"}), "-");
  EXPECT_EQ(file({"--reporter", "lines=x-{result}", "--result-filename", "r.json"}), "x-r");
  EXPECT_EQ(file({"--reporter", "lines", "--lines-file", "b"}), "b");
  EXPECT_EQ(complaint({"j", "--reporter", "lines=a", "--lines-file", "b"}),
            "--lines-file: two files are named for reporter lines; leave out =a");
  EXPECT_EQ(complaint({"j", "--reporter", "file=a"}),
            "--reporter: reporter file cannot be told to write to a: it has no option file; leave "
            "=a out");
  // Without a FILE the name is the name of the result, with the reporter's own ending.
  EXPECT_EQ(file({"--reporter", "lines"}), "{result}.csv");
  EXPECT_EQ(file({"--reporter", "lines", "--result-dir", "out"}), "out/{result}.csv");
  EXPECT_EQ(file({"--reporter", "lines", "--result-filename", "r.json"}), "r.csv");
  EXPECT_EQ(file({"--reporter", "mirror", "--result-dir", "out"}), "none");
  EXPECT_THAT(complaint({"j", "--reporter", "lines", "--reporter", "lines"}),
              HasSubstr("reporter lines would twice write"));
}

TEST_F(report, values_are_checked_as_in_serve) {
  EXPECT_EQ(complaint({"j", "--reporter", "json", "--json-indent", "x"}),
            "--json-indent: expected a whole number, not \"x\"; give a whole number, or leave it "
            "out for the default, 0");
  EXPECT_EQ(complaint({"j", "--reporter", "json", "--metadata", "x"}),
            "--metadata: expected KEY=VALUE, not \"x\"; write it as KEY=VALUE, in quotes where it "
            "holds blanks");
  EXPECT_EQ(complaint({"j", "--reporter", "json", "--save-detailed=maybe"}),
            "--save-detailed: expected true or false, not \"maybe\"; give true or false");
}

TEST_F(report, a_flag_that_no_reporter_uses_causes_a_warning) {
  EXPECT_THAT(parse({"j", "--label", "x"}).warnings,
              ElementsAre("--label has no effect: no reporter of this report has an option label"));
  EXPECT_THAT(parse({"j", "--reporter", "json", "--label", "x", "--label", "y"}).warnings,
              ElementsAre("--label is given more than once; the last one counts"));
  EXPECT_THAT(parse({"j", "--result-dir", "x"}).warnings,
              ElementsAre("--result-dir has no effect: no reporter of this report has an option "
                          "result-dir"));
}

// In a run the default of the key would be the value of the option, and every key is checked.
TEST_F(report, a_key_counts_only_if_its_flag_is_given_and_a_reporter_uses_it) {
  EXPECT_EQ(parse({"j", "--reporter", "dataset-stats"}).reporters[0].find("itl-thresholds"),
            nullptr);
  EXPECT_THAT(
      parse({"j", "--metadata", "x"}).warnings,
      ElementsAre("--metadata has no effect: no reporter of this report has an option metadata"));
}

TEST_F(report, figures_have_the_settings_of_the_run_unless_the_user_sets_others) {
  EXPECT_EQ(parse({"j"}).bounded, std::nullopt);
  EXPECT_EQ(parse({"j", "--summary", "bounded"}).bounded, true);
  EXPECT_EQ(parse({"--summary=exact", "j"}).bounded, false);
  EXPECT_THAT(complaint({"j", "--summary", "rough"}), HasSubstr("exact, bounded"));
  EXPECT_THAT(parse({"--help=all"}).help, HasSubstr("as the run had it"));
}

TEST_F(report, goals_are_those_of_the_run_unless_the_user_gives_others) {
  EXPECT_EQ(parse({"j"}).thresholds, std::nullopt);
  EXPECT_FALSE(parse({"j"}).thresholds_certain);
  const report_request r = parse(
      {"j", "--threshold", "p99_ttft_ms<=200", "--threshold", "failed<=1%", "--threshold-certain"});
  ASSERT_TRUE(r.thresholds);
  EXPECT_THAT(*r.thresholds, ElementsAre("ttft.p99<=200ms", "failed<=1%"));
  EXPECT_TRUE(r.thresholds_certain);
  EXPECT_THAT(complaint({"j", "--threshold", "ttft<200ms"}),
              HasSubstr("--threshold: the goal \"ttft<200ms\" cannot be read"));
}

TEST_F(report, plugin_folders_are_known_before_anything_is_loaded) {
  (void)parse({"j", "--plugin-dir", "~/a", "--plugin-dir", "b", "--allow-unsafe-plugin"});
  EXPECT_THAT(plugins.folders, ElementsAre("/home/me/a", "b"));
  EXPECT_TRUE(plugins.allow_unsafe);
}

TEST_F(report, several_journals_need_reporters_of_several_runs) {
  plugins.show_all();
  const report_request r = parse({"a", "b", "a", "--reporter", "sides", "--reporter", "console"});
  EXPECT_THAT(r.journals, ElementsAre("a", "b", "a"));
  EXPECT_THAT(uses(r), ElementsAre("sides", "console"));
  EXPECT_THAT(uses(parse({"a", "b"})), ElementsAre("console"));
  EXPECT_EQ(complaint({"a", "b", "--reporter", "console", "--reporter", "json"}),
            "--reporter: reporter json shows one run, and not 2 side by side; report each journal "
            "alone, or use a reporter of several runs: console, sides");
  EXPECT_THAT(complaint({"a", "--reporter", "sides"}),
              HasSubstr("reporter sides shows several runs side by side, and one journal is named; "
                        "name more journals, or use a reporter of one run: console, json"));
}

TEST_F(report, invalid_command_lines_are_refused) {
  const std::string usage =
      "usage: inferbench report JOURNAL... [--reporter NAME[=FILE]]... [flags]";
  EXPECT_EQ(complaint({}), "no journal is named; " + usage);
  EXPECT_EQ(complaint({"j", "--reprter", "json"}),
            "unknown flag --reprter; did you mean --reporter?");
  // Options without a flag of their own must not be suggested.
  EXPECT_EQ(complaint({"j", "--reporter", "json", "--x"}), "unknown flag --x; --help lists all");
  EXPECT_EQ(complaint({"j", "--json-indent", "3"}),
            "unknown flag --json-indent; add --reporter json");
  EXPECT_EQ(complaint({"j", "--result", "3"}),
            "--result could be --result-dir, --result-filename; write it out");
  EXPECT_THAT(complaint({"j", "--reporter"}), HasSubstr("--reporter: a value is missing"));
  EXPECT_THAT(complaint({"j", "--reporter", "none"}), HasSubstr("no reporter is called none"));
}

TEST_F(report, help_needs_no_journal_and_has_the_recorded_topics) {
  const std::string help = parse({"--help"}).help;
  EXPECT_THAT(help, testing::StartsWith("usage: inferbench report JOURNAL..."));
  EXPECT_THAT(help, HasSubstr("--reporter NAME[=FILE]"));
  EXPECT_THAT(help, HasSubstr("\n  reporter json\n"));
  EXPECT_THAT(help, Not(HasSubstr("--json-indent")));
  EXPECT_THAT(parse({"--help=all"}).help, HasSubstr("--json-indent"));
  const std::string group = parse({"--help=reporter json"}).help;
  EXPECT_THAT(group, HasSubstr("--json-indent"));
  EXPECT_THAT(group, Not(HasSubstr("--label")));
  EXPECT_THAT(parse({"--help=all"}).help, Not(HasSubstr("--random-input-len")));
  EXPECT_EQ(parse({"-h"}).help, help);
  EXPECT_THAT(plugins.loads, IsEmpty());
}

}  // namespace
}  // namespace inferbench::config

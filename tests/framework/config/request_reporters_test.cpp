// Tests the reporters of `serve`: by --save-result and by --reporter NAME, NAME=FILE and NAME=-.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "framework/config/serve_bench.hpp"
#include "options/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class serve_reporters : public serve_bench {};

TEST_F(serve_reporters, a_saved_result_adds_the_json_reporter_with_the_flags_it_declares) {
  const plan p = plan_of({"--append-result", "--save-detailed", "--result-filename", "r.json",
                          "--metadata", "a=1", "b=2", "--label", "l", "--json-indent", "2"});
  EXPECT_TRUE(p.files.saved);
  ASSERT_EQ(p.reporters.size(), 2U);
  const options::plugin_choice& json = p.reporters[1];
  EXPECT_EQ(json.use, "json");
  EXPECT_EQ(json.find("append-result")->integer, 1);
  EXPECT_EQ(json.find("save-detailed")->integer, 1);
  EXPECT_EQ(json.find("result-filename")->text, "r.json");
  EXPECT_THAT(json.find("metadata")->list, ElementsAre("a=1", "b=2"));
  EXPECT_EQ(json.find("label")->text, "l");
  EXPECT_EQ(json.find("indent")->integer, 2);
  EXPECT_EQ(json.find("result-dir"), nullptr);
}

TEST_F(serve_reporters, named_reporters_are_added_to_the_console_and_reporters_of_other_flags) {
  plugins.show_all();
  EXPECT_THAT(uses(plan_of({"--reporter", "lines", "--reporter", "timeline"})),
              ElementsAre("console", "lines", "timeline"));
  EXPECT_THAT(uses(plan_of({"--save-result", "--plot-timeline", "--reporter", "lines"})),
              ElementsAre("console", "json", "timeline", "lines"));
  // A reporter that is there already is not added again.
  EXPECT_THAT(uses(plan_of({"--save-result", "--reporter", "json", "--reporter", "console",
                            "--reporter", "lines"})),
              ElementsAre("console", "json", "lines"));
  EXPECT_THAT(uses(plan_of({"--reporter", "console=-"})), ElementsAre("console"));
  EXPECT_FALSE(plan_of({"--reporter", "json"}).files.saved);
}

TEST_F(serve_reporters, a_named_reporter_has_its_own_flags) {
  plugins.show_all();
  const plan p = plan_of({"--reporter", "lines", "--lines-wide", "--lines-file", "~/x.csv"});
  EXPECT_EQ(p.reporters[1].find("wide")->integer, 1);
  EXPECT_EQ(p.reporters[1].find("file")->text, "/home/me/x.csv");
  EXPECT_TRUE(p.reporters[1].named);
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_EQ(complaint({"--reporter", "file"}), "reporter file needs path; set --file-path");
}

TEST_F(serve_reporters, the_file_of_a_named_reporter_is_in_the_folder_of_results) {
  plugins.show_all();
  const auto file = [&](std::vector<std::string> args, const char* option = "file") {
    const plan p = plan_of(std::move(args));
    const options::option_value* found = p.reporters.back().find(option);
    return found == nullptr ? std::string("none") : found->text;
  };
  EXPECT_EQ(file({"--reporter", "lines=a=b.csv", "--result-dir", "out"}), "out/a=b.csv");
  EXPECT_EQ(file({"--reporter", "lines=/tmp/a.csv", "--result-dir", "out"}), "/tmp/a.csv");
  EXPECT_EQ(file({"--reporter", "lines=~/a.csv", "--result-dir", "out"}), "/home/me/a.csv");
  EXPECT_EQ(file({"--reporter", "lines=-", "--result-dir", "out"}), "-");
  EXPECT_EQ(file({"--reporter", "mirror=m", "--result-dir", "out"}), "out/m");
  // Without a FILE the name is the name of the result, with the reporter's own ending.
  EXPECT_EQ(file({"--reporter", "lines", "--result-dir", "out"}), "out/{result}.csv");
  EXPECT_EQ(file({"--reporter", "lines", "--result-filename", "r.json"}), "r.csv");
  EXPECT_EQ(file({"--reporter", "lines=x-{result}", "--result-filename", "r.json"}), "x-r");
  EXPECT_EQ(file({"--reporter", "mirror"}), "none");
  // A reporter without the option `file` gets the name by the option result-filename.
  EXPECT_EQ(file({"--reporter", "json=j", "--result-dir", "out"}, "result-filename"), "j");
}

TEST_F(serve_reporters, the_folder_of_results_has_an_effect_on_a_named_reporter) {
  plugins.show_all();
  const auto warnings = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--result-dir", "out", "--temperature", "0", "--model", "m"});
    return parse(std::move(args)).warnings;
  };
  EXPECT_THAT(warnings({"--reporter", "lines"}), IsEmpty());
  EXPECT_THAT(warnings({"--reporter", "console"}), ElementsAre(HasSubstr("--result-dir")));
}

TEST_F(serve_reporters, a_named_reporter_that_is_printed_reads_back_as_itself) {
  plugins.show_all();
  const plan p = plan_of({"--reporter", "lines", "--reporter", "mirror=m", "--result-dir", "out"});
  EXPECT_THAT(p.toml, HasSubstr("[[reporter]]\nuse = \"lines\"\nfile = \"out/{result}.csv\"\n"));
  const support::temporary_folder files;
  const std::string path = files.write("named.toml", p.toml);
  EXPECT_EQ(parse_run(std::vector{path}, env, plugins).plan.toml, p.toml);
}

TEST_F(serve_reporters, two_reporters_with_one_file_are_refused) {
  plugins.show_all();
  EXPECT_EQ(complaint({"--reporter", "lines=a", "--reporter", "mirror=./a"}),
            "--reporter: reporters lines and mirror would both write " +
                std::filesystem::absolute("a").string() +
                "; leave one out, or give it another file: --reporter mirror=FILE");
  EXPECT_THAT(complaint({"--reporter", "lines", "--reporter", "lines"}),
              HasSubstr("reporter lines would twice write"));
  EXPECT_THAT(complaint({"--reporter", "json", "--reporter", "json"}),
              HasSubstr("reporter json would twice write one file"));
  EXPECT_THAT(complaint({"--save-result", "--result-filename", "r", "--reporter", "json=r"}),
              HasSubstr("reporter json would twice write"));
  EXPECT_THAT(complaint({"--reporter", "lines=-", "--reporter", "lines=-"}),
              HasSubstr("would twice write"));
  EXPECT_EQ(complaint({"--reporter", "lines=-", "--reporter", "mirror=-"}), "");
  EXPECT_EQ(complaint({"--save-result", "--reporter", "json=r"}), "");
  EXPECT_EQ(complaint({"--reporter", "lines=a", "--lines-file", "b"}),
            "--lines-file: two files are named for reporter lines; leave out =a");
}

TEST_F(serve_reporters, a_reporter_that_adds_runs_to_its_file_is_refused_standard_output) {
  plugins.show_all();
  plugins.add_with_own(IFB_REPORTER, "store",
                       {fake_catalog::option("file", IFB_PATH, "File.", "\"s.db\""),
                        fake_catalog::option("append-result", IFB_BOOL, "Add.", "true")});
  EXPECT_EQ(complaint({"--reporter", "store=-"}),
            "--reporter: reporter store adds runs to a file, and cannot write to standard output; "
            "name a file: --reporter store=FILE");
  EXPECT_EQ(complaint({"--reporter", "store", "--store-file", "-"}),
            "--store-file: reporter store adds runs to a file, and cannot write to standard "
            "output; name a file: --reporter store=FILE");
  EXPECT_EQ(complaint({"--reporter", "store=a.db"}), "");
  EXPECT_EQ(complaint({"--reporter", "json=-"}), "");
}

TEST_F(serve_reporters, a_reporter_that_is_named_wrongly_is_refused) {
  plugins.show_all();
  for (const char* bad : {"", "=x", "json="})
    EXPECT_THAT(complaint({"--reporter", bad}),
                HasSubstr("--reporter: expected NAME, NAME=FILE or NAME=-"))
        << bad;
  EXPECT_EQ(complaint({"--reporter", "console=x"}),
            "--reporter: reporter console cannot be told to write to x: it has no option file; "
            "leave =x out");
  EXPECT_THROW((void)parse({"--reporter", "nonsense"}), options::usage_error);
}

}  // namespace
}  // namespace inferbench::config

#include "config/sweep_files.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/benchmark_command.hpp"

namespace inferbench::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class sweep_files : public testing::Test {
 protected:
  request parse(std::string_view text, std::vector<std::string> more = {}) {
    std::ofstream(path, std::ios::binary) << text;
    more.insert(more.begin(), path);
    return parse_run(more, env, plugins);
  }
  sweep::plan planned(std::string_view text, std::vector<std::string> more = {}) {
    request asked = parse(text, std::move(more));
    if (!asked.sweep) throw std::runtime_error("no experiment");
    return *std::move(asked.sweep);
  }
  /// "2: TEXT" for an error of the form, "1: TEXT" for others, with a short name for the file.
  std::string complaint(std::string_view text, std::vector<std::string> more = {}) {
    std::string out = "accepted";
    try {
      (void)parse(text, std::move(more));
    } catch (const options::usage_error& e) {
      out = std::string("2: ") + e.what();
    } catch (const base::error& e) {
      out = std::string("1: ") + e.what();
    }
    for (auto at = out.find(path); at != std::string::npos; at = out.find(path))
      out.replace(at, path.size(), "base.toml");
    return out;
  }
  static std::vector<std::string> texts(const std::vector<sweep::item>& items) {
    std::vector<std::string> out;
    for (const sweep::item& each : items)
      out.push_back(each.text());
    return out;
  }

  support::temporary_folder folder;
  std::string path = folder.path("base.toml");
  options::environment env = test_environment();
  fake_catalog plugins;
};

constexpr std::string_view two_loads =
    "[sweep]\nname = 'night'\n[sweep.axes]\nload.max-concurrency = [4, 8]\n";

TEST_F(sweep_files, make_an_experiment_of_single_runs) {
  const request asked = parse(two_loads);
  ASSERT_TRUE(asked.sweep);
  EXPECT_EQ(asked.line, base::shell_word(path));
  EXPECT_EQ(asked.sweep->command_line, "inferbench run " + base::shell_word(path));
  EXPECT_THAT(asked.sweep->bench_command, ElementsAre("inferbench", "run", path, "--ignore-sweep"));
  EXPECT_EQ(asked.sweep->result_reporter, "json");
  EXPECT_EQ(asked.sweep->experiment, "night");
  EXPECT_THAT(texts(asked.sweep->bench_items),
              ElementsAre("load.max-concurrency=4", "load.max-concurrency=8"));
  EXPECT_THAT(asked.warnings, IsEmpty());
}

TEST_F(sweep_files, leave_flags_of_the_experiment_out_of_its_runs) {
  const sweep::plan what = planned(
      two_loads, {"--dry-run", "--set", "run.seed=5", "--reporter", "csv", "--show-stdout", "--set",
                  "sweep.repeats=7", "--resume", "--plugin-dir", "/p", "/q", "--reporter=md=-",
                  "--set= sweep.seed=3", "--set", "backend.model=-x", "--res=false"});
  EXPECT_THAT(what.bench_command,
              ElementsAre("inferbench", "run", path, "--plugin-dir", "/p", "/q", "--set",
                          "run.seed=5", "--set", "backend.model=-x", "--ignore-sweep"));
  EXPECT_TRUE(what.dry_run);
  EXPECT_TRUE(what.show_stdout);
  EXPECT_FALSE(what.resume);
  EXPECT_EQ(what.num_runs, 7);
  EXPECT_EQ(what.order_seed, 3U);
  EXPECT_THAT(what.reporters, ElementsAre("csv", "md=-"));
}

TEST_F(sweep_files, are_laid_one_over_the_other) {
  const std::string above =
      folder.write("above.toml", "[sweep]\nrepeats = 1\n[sweep.axes]\nrun.seed = [1]\n");
  const sweep::plan what = planned(two_loads, {above});
  EXPECT_EQ(what.num_runs, 1);
  EXPECT_THAT(texts(what.bench_items), ElementsAre("load.max-concurrency=4, run.seed=1",
                                                   "load.max-concurrency=8, run.seed=1"));
  EXPECT_THAT(what.bench_command, ElementsAre("inferbench", "run", path, above, "--ignore-sweep"));
}

TEST_F(sweep_files, of_a_single_run_are_read_without_the_table) {
  const request asked =
      parse(two_loads, {"--ignore-sweep", "--set", "sweep.repeats=2", "--set", "run.seed=2"});
  EXPECT_FALSE(asked.sweep);
  EXPECT_EQ(asked.plan.seed, 2U);
  EXPECT_FALSE(asked.plan.load.max_concurrency.has_value());
  EXPECT_THAT(asked.plan.toml, Not(HasSubstr("sweep")));
  EXPECT_THAT(asked.plan.json, Not(HasSubstr("sweep")));
  // The flags of reporters are known only in a second reading of the line.
  plugins.show_all();
  EXPECT_FALSE(parse(two_loads, {"--ignore-sweep", "--set", "sweep.repeats=2", "--reporter",
                                 "lines", "--lines-wide"})
                   .sweep);
}

TEST_F(sweep_files, pass_each_run_the_command_that_makes_it_alone) {
  const sweep::plan what = planned(two_loads, {"--set", "run.seed=5"});
  const std::vector<std::string> words =
      sweep::benchmark_command(what, what.bench_items[1], "/r/run=0.json");
  const request run = parse_run(std::span(words).subspan(2), env, plugins);
  EXPECT_FALSE(run.sweep);
  EXPECT_EQ(run.plan.load.max_concurrency, 8);
  EXPECT_EQ(run.plan.seed, 5U);
  ASSERT_EQ(run.plan.reporters.size(), 2U);
  EXPECT_EQ(run.plan.reporters[1].find("result-filename")->text, "/r/run=0.json");
}

TEST_F(sweep_files, take_keys_of_the_table_from_the_command_line) {
  const sweep::plan what =
      planned("[sweep]\nname = 'a'\n[sweep.axes]\n\"load.max-concurrency\" = [1]\n",
              {"--set", "sweep.name=b",
               "--set", "sweep.output-dir=~/out",
               "--set", "sweep.order=abba",
               "--set", "sweep.continue-on-error=true",
               "--set", "sweep.links=[\"x=run.seed\"]",
               "--set", "sweep.axes.load.max-concurrency=[2, 3]",
               "--set", "sweep.axes.run.seed=[5]",
               "--set", "sweep.server.command=vllm serve 'a b'",
               "--set", "sweep.server.ready-timeout=5s",
               "--set", "sweep.server.axes.x=[5, 6]"});
  EXPECT_EQ(what.experiment, "b");
  EXPECT_EQ(what.output_dir, "/home/me/out");
  EXPECT_EQ(what.in_order, sweep::plan::order::abba);
  EXPECT_TRUE(what.continue_on_error);
  ASSERT_THAT(what.links, SizeIs(1));
  EXPECT_EQ(what.links[0].bench_key, "run.seed");
  EXPECT_THAT(what.serve_command, ElementsAre("vllm", "serve", "a b"));
  EXPECT_EQ(what.ready_timeout_s, 5U);
  EXPECT_THAT(texts(what.serve_items), ElementsAre("x=5", "x=6"));
  EXPECT_THAT(texts(what.bench_items), ElementsAre("load.max-concurrency=2, run.seed=5",
                                                   "load.max-concurrency=3, run.seed=5"));
}

TEST_F(sweep_files, need_no_table_if_the_command_line_has_axes) {
  const sweep::plan what = planned("", {"--set", "sweep.axes.run.seed=[1, 2]"});
  EXPECT_THAT(texts(what.bench_items), ElementsAre("run.seed=1", "run.seed=2"));
  EXPECT_THAT(what.bench_command, ElementsAre("inferbench", "run", path, "--ignore-sweep"));
}

TEST_F(sweep_files, keep_secrets_of_the_command_out_of_its_text) {
  const request asked = parse(
      two_loads, {"--set", "backend.api-key=hunter2", "--set", "server.header=[\"A=hunter2\"]"});
  EXPECT_THAT(asked.line, EndsWith("'backend.api-key=(cut)' --set 'server.header=(cut)'"));
  EXPECT_THAT(asked.sweep->command_line, Not(HasSubstr("hunter2")));
  EXPECT_THAT(asked.sweep->bench_command, testing::Contains("backend.api-key=hunter2"));
}

TEST_F(sweep_files, are_checked_with_each_value_of_each_axis) {
  // The second axis has the bad value in its second half.
  const std::string axes =
      "[sweep.axes]\nload.request-rate = [1, 2, 3]\nload.max-concurrency = [4, 8, 'x']\n";
  EXPECT_EQ(complaint(axes),
            "2: base.toml:3:31: load.max-concurrency: expected a whole number of at least 1, not "
            "\"x\"; leave it out for no limit");
  const std::string good =
      "[sweep.axes]\nload.request-rate = [1, 2, 3]\nload.max-concurrency = [4, 8, 9]\n";
  plugins.loads.clear();
  (void)planned(good);
  // 5 of the 9 combinations have all 6 values.
  EXPECT_EQ(std::ranges::count(plugins.loads, "random"), 5);
}

TEST_F(sweep_files, may_have_keys_that_only_the_axes_set) {
  EXPECT_THAT(
      texts(planned("[dataset]\nuse = 'sharegpt'\n[sweep.axes]\ndataset.path = ['a', 'b']\n")
                .bench_items),
      ElementsAre("dataset.path=a", "dataset.path=b"));
  EXPECT_THAT(complaint("[dataset]\nuse = 'sharegpt'\n[sweep.axes]\nrun.seed = [1]\n"),
              AllOf(StartsWith("1: "), HasSubstr("path")));
}

TEST_F(sweep_files, are_not_checked_where_the_combination_does_not_run) {
  EXPECT_EQ(complaint("[sweep.axes]\nrun.seed = [1, 'x']\n[[sweep.exclude]]\nrun.seed = 'x'\n"),
            "accepted");
}

TEST_F(sweep_files, warn_of_files_that_every_run_writes) {
  plugins.show_all();
  const request asked = parse(
      "[run]\njournal = 'a.journal'\n[[reporter]]\nuse = 'lines'\nfile = 'b.csv'\n"
      "[[reporter]]\nuse = 'json'\n[sweep]\n");
  EXPECT_THAT(asked.warnings,
              ElementsAre("every run of the experiment writes a.journal, which then has the last "
                          "run only",
                          "every run of the experiment writes b.csv, which then has the last run "
                          "only"));
  EXPECT_THAT(parse("[run]\nsave-result = true\nresult-filename = 'r.json'\n[sweep]\n").warnings,
              ElementsAre(HasSubstr("writes r.json")));
  EXPECT_THAT(parse("[run]\nappend-result = true\nresult-filename = 'r.json'\n[sweep]\n").warnings,
              IsEmpty());
  EXPECT_THAT(parse("[run]\nsave-result = true\njournal = 'none'\n[sweep]\n").warnings, IsEmpty());
}

TEST_F(sweep_files, have_a_digest_of_the_settings_of_their_runs) {
  const auto digest = [&](const std::string& runs, const std::string& table) {
    return planned(runs + "[sweep]\n" + table).settings_digest;
  };
  const std::string before = digest("[run]\nseed = 1\n", "repeats = 1\n");
  EXPECT_THAT(before, SizeIs(16));
  EXPECT_EQ(digest("[run]\nseed = 1  # the same\n", "repeats = 2\n"), before);
  EXPECT_NE(digest("[run]\nseed = 2\n", "repeats = 1\n"), before);
}

TEST_F(sweep_files, show_no_screen_of_a_single_run) {
  const sweep::plan what = planned("[run]\nlive = 'screen'\n[sweep]\n");
  EXPECT_THAT(what.bench_command,
              ElementsAre("inferbench", "run", path, "--ignore-sweep", "--set", "run.live=none"));
}

TEST_F(sweep_files, print_as_files_that_make_the_same_experiment) {
  const request asked = parse("[run]\nseed = 4\n" + std::string(two_loads),
                              {"--print-config", "--set", "sweep.repeats=2"});
  EXPECT_TRUE(asked.print_config);
  EXPECT_FALSE(asked.sweep);
  const std::string& text = asked.plan.toml_with_places;
  EXPECT_THAT(text, HasSubstr("seed = 4  # "));
  EXPECT_THAT(text, EndsWith("\n[sweep]\nname = \"night\"\nrepeats = 2\n\n[sweep.axes]\n\n"
                             "[sweep.axes.load]\nmax-concurrency = [4, 8]\n"));
  const sweep::plan again = planned(text);
  EXPECT_EQ(again.num_runs, 2);
  EXPECT_THAT(texts(again.bench_items),
              ElementsAre("load.max-concurrency=4", "load.max-concurrency=8"));
}

TEST_F(sweep_files, are_explained_by_help) {
  const std::string text = parse("", {"--help=sweep"}).help;
  EXPECT_THAT(text, AllOf(HasSubstr("\nsweep:\n"), HasSubstr("  sweep.repeats N"),
                          HasSubstr("sweep.server.ready-timeout TIME")));
  EXPECT_THAT(parse("", {"--help"}).help, HasSubstr("  --ignore-sweep "));
}

TEST_F(sweep_files, of_the_examples_can_be_carried_out) {
  const std::vector<std::string> args{std::string(INFERBENCH_SOURCE) + "/sdk/examples/sweep.toml"};
  const request asked = parse_run(args, env, plugins);
  ASSERT_TRUE(asked.sweep);
  EXPECT_THAT(asked.warnings, IsEmpty());
  EXPECT_THAT(asked.sweep->serve_items, SizeIs(2));
  EXPECT_THAT(asked.sweep->bench_items, SizeIs(6));
  EXPECT_THAT(asked.sweep->excludes, SizeIs(1));
  EXPECT_THAT(asked.sweep->reporter_entries, SizeIs(2));
}

struct bad_experiment {
  const char* title;
  const char* toml;
  std::vector<std::string> more = {};
};

TEST_F(sweep_files, that_cannot_be_carried_out_are_refused_as_recorded) {
  const std::string axes(two_loads);
  const bad_experiment all[] = {
      {"a flag of an experiment without a table", "", {"--dry-run"}},
      {"another", "", {"--resume"}},
      {"another", "", {"--show-stdout"}},
      {"both flags", axes.c_str(), {"--dry-run", "--ignore-sweep"}},
      {"a table that is a list", "[[sweep]]\n"},
      {"a table that is a text", "sweep = 'a'\n"},
      {"a similar table", "[sweeps]\n"},
      {"an unknown key of the table", "[sweep]\nrepeat = 2\n"},
      {"an unknown key of the command line", "", {"--set", "sweep.repeat=2"}},
      {"another", "", {"--set", "sweep.zip=[]"}},
      {"another", "", {"--set", "sweep.axes.=[]"}},
      {"a wrong value of the command line", axes.c_str(), {"--set", "sweep.repeats=x"}},
      {"a value of the command line out of range", axes.c_str(), {"--set", "sweep.repeats=0"}},
      {"an axis of the command line that is no list", "", {"--set", "sweep.axes.run.seed=1"}},
      {"an axis of the command line that is no TOML", "", {"--set", "sweep.axes.run.seed=[1"}},
      {"an axis of the command line without a table", "", {"--set", "sweep.axes.seed=[1]"}},
      {"a command of the command line", "", {"--set", "sweep.server.command=a 'b"}},
      {"no name to resume", "[sweep]\n", {"--resume"}},
      {"an unknown key in an axis", "[sweep.axes]\nload.max-concurency = [1]\n"},
      {"an unknown table in an axis", "[sweep.axes]\nlod.max-concurrency = [1]\n"},
      {"a key of the experiment in an axis", "[sweep.axes]\nsweep.repeats = [1, 2]\n"},
      {"a value of the wrong type", "[sweep.axes]\nrun.seed = [1, true]\n"},
      {"a value out of range", "[sweep.axes]\nload.max-concurrency = [1, 0]\n"},
      {"an unknown plugin", "[sweep.axes]\nbackend.use = ['openai', 'opanai']\n"},
      {"keys that exclude each other",
       "[load]\ntraffic = 'sine:mean=20,amplitude=10,period=60s'\n[sweep.axes]\nload.request-rate "
       "= [1, 2]\n"},
      {"an error of the files themselves",
       "[run]\nseed = 'x'\n[sweep.axes]\nload.request-rate = [1]\n"},
      {"a run that repeats itself", "[run]\nnum-runs = 3\n[sweep]\n"},
      {"an option of a reporter", "[sweep]\n", {"--reporter", "json", "--json-indent", "2"}},
      {"an unknown flag", "[sweep]\n", {"--hurry"}},
      {"a file that is not there", "[sweep]\n", {"/nowhere/above.toml"}},
  };
  std::string found;
  for (const bad_experiment& each : all) {
    found += std::string("# ") + each.title + "\n";
    for (const std::string& word : each.more)
      found += "# " + word + "\n";
    found += complaint(each.toml, each.more) + "\n";
  }
  support::expect_golden(found, std::string(INFERBENCH_FIXTURES) + "/config/sweep_errors.txt");
}

}  // namespace
}  // namespace inferbench::config

#include "sweep/toml_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"
#include "framework/sweep/items.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"
#include "support/golden.hpp"
#include "sweep/layout.hpp"
#include "sweep/runnable.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::time_t toml_start = 1735732800;  // 2025-01-01 12:00 UTC

options::node sweep_table_of(const std::string& toml) {
  const options::node file =
      options::parse_toml("[sweep]\n" + toml, "base.toml", options::test_environment());
  return *file.find("sweep");
}

plan planned_of(const std::string& toml, const toml_sweep_flags& flags = {}) {
  return plan_of(sweep_table_of(toml), {"inferbench", "run", "base.toml", "--ignore-sweep"},
                 "a_reporter", flags, options::test_environment(), toml_start);
}

std::vector<std::string> texts_of(const std::vector<item>& items) {
  std::vector<std::string> out;
  for (const item& each : items)
    out.push_back(each.text());
  return out;
}

TEST(toml_sweep, with_an_empty_table_repeats_one_run) {
  const plan what = planned_of("");
  EXPECT_EQ(what.does, kind::serve);
  EXPECT_THAT(what.serve_command, IsEmpty());
  EXPECT_THAT(what.bench_command, ElementsAre("inferbench", "run", "base.toml", "--ignore-sweep"));
  EXPECT_EQ(what.result_reporter, "a_reporter");
  EXPECT_THAT(texts_of(what.serve_items), ElementsAre(""));
  EXPECT_THAT(texts_of(what.bench_items), ElementsAre(""));
  EXPECT_EQ(what.output_dir, "results");
  EXPECT_EQ(what.experiment, experiment_name(toml_start));
  EXPECT_EQ(what.num_runs, 3);
  EXPECT_EQ(what.warmup_prompts, 0);
  EXPECT_EQ(what.in_order, plan::order::upstream);
  EXPECT_FALSE(what.dry_run || what.resume || what.show_stdout || what.continue_on_error);
  EXPECT_FALSE(what.after_bench);
  EXPECT_THAT(what.reporter_entries, IsEmpty());
}

TEST(toml_sweep, has_every_key_in_its_plan) {
  const plan what = planned_of(R"(name = "night"
output-dir = "~/sweeps"
repeats = 5
order = "shuffled"
seed = 7
continue-on-error = true
warmup-prompts = 20
links = ["max_num_seqs=load.max-concurrency"]
show-stdout = true
[sweep.axes]
"load.max-concurrency" = [4, 8]
[[sweep.exclude]]
"load.max-concurrency" = 8
[[sweep.reporter]]
use = "csv"
file = "all.csv"
[sweep.server]
command = "vllm serve 'a model' --port 8001"
after-bench = ["curl", "-X", "POST", "http://127.0.0.1:8001/reset cache"]
ready-timeout = "1500ms"
[sweep.server.axes]
max_num_seqs = [4, 8, 16]
)");
  EXPECT_EQ(what.experiment, "night");
  EXPECT_EQ(what.output_dir, "/home/me/sweeps");
  EXPECT_EQ(what.num_runs, 5);
  EXPECT_EQ(what.in_order, plan::order::shuffled);
  EXPECT_EQ(what.order_seed, 7U);
  EXPECT_TRUE(what.continue_on_error);
  EXPECT_EQ(what.warmup_prompts, 20);
  EXPECT_TRUE(what.show_stdout);
  EXPECT_THAT(what.serve_command, ElementsAre("vllm", "serve", "a model", "--port", "8001"));
  EXPECT_THAT(*what.after_bench,
              ElementsAre("curl", "-X", "POST", "http://127.0.0.1:8001/reset cache"));
  EXPECT_EQ(what.ready_timeout_s, 2U);
  EXPECT_THAT(texts_of(what.serve_items),
              ElementsAre("max_num_seqs=4", "max_num_seqs=8", "max_num_seqs=16"));
  EXPECT_THAT(texts_of(what.bench_items),
              ElementsAre("load.max-concurrency=4", "load.max-concurrency=8"));
  ASSERT_EQ(what.reporter_entries.size(), 1U);
  EXPECT_EQ(options::to_json(what.reporter_entries[0]), R"({"use": "csv", "file": "all.csv"})");
  // 8 is linked and excluded, 16 is not linked.
  std::vector<std::string> folders;
  for (const item& serve : what.serve_items)
    for (const item& bench : what.bench_items)
      if (runs(what, serve, bench)) folders.push_back(folder_name(serve, bench));
  EXPECT_THAT(folders, ElementsAre("SERVE--max_num_seqs=4-BENCH--load.max-concurrency=4"));
}

TEST(toml_sweep, takes_the_flags_of_the_command) {
  const plan what =
      planned_of("name = 'a'", {.dry_run = true, .resume = true, .show_stdout = true});
  EXPECT_TRUE(what.dry_run);
  EXPECT_TRUE(what.resume);
  EXPECT_TRUE(what.show_stdout);
  EXPECT_EQ(planned_of("order = 'abba'").in_order, plan::order::abba);
}

TEST(toml_sweep, that_resumes_needs_its_name) {
  EXPECT_EQ(complaint_of([] { return planned_of("", {.resume = true}); }),
            "--resume: needs the name of an experiment; add name = \"NAME\" to [sweep], or --set "
            "sweep.name=NAME");
}

TEST(toml_sweep, excludes_a_rate_without_a_limit) {
  const plan what = planned_of(
      "[sweep.axes]\nload.request-rate = [1, inf]\n[[sweep.exclude]]\nload.request-rate = inf\n");
  EXPECT_TRUE(runs(what, item(), what.bench_items[0]));
  EXPECT_FALSE(runs(what, item(), what.bench_items[1]));
}

TEST(toml_sweep, may_exclude_a_pair_of_a_server_and_a_load) {
  const plan what = planned_of(R"([sweep.axes]
load.max-concurrency = [1, 64]
[[sweep.exclude]]
max_num_seqs = 1
load.max-concurrency = 64
[sweep.server]
command = ["s"]
axes = { max_num_seqs = [1, 2] }
)");
  EXPECT_TRUE(runs(what, what.serve_items[0], what.bench_items[0]));
  EXPECT_FALSE(runs(what, what.serve_items[0], what.bench_items[1]));
  EXPECT_TRUE(runs(what, what.serve_items[1], what.bench_items[1]));
}

std::string many_values(const std::string& name, int count) {
  std::string out = name + " = [";
  for (int i = 0; i < count; ++i)
    out += std::to_string(i) + ",";
  return out + "]\n";
}

TEST(toml_sweep, that_is_far_too_large_is_refused) {
  const std::string too_many = "has more than 100000 combinations";
  EXPECT_THAT(complaint_of([&] {
                return planned_of("[sweep.axes]\n" + many_values("a.x", 400) +
                                  "[sweep.server]\ncommand = 's'\n[sweep.server.axes]\n" +
                                  many_values("y", 400));
              }),
              HasSubstr(too_many));
  EXPECT_THAT(
      complaint_of([&] {
        return planned_of("[sweep.axes]\n" + many_values("a.x", 400) + many_values("a.y", 400));
      }),
      HasSubstr(too_many));
  EXPECT_THAT(
      complaint_of([&] { return planned_of("[sweep.axes]\n" + many_values("a.x", 100'001)); }),
      HasSubstr("an axis has more than 100000 values"));
}

struct bad_table {
  const char* title;
  const char* toml;
};

constexpr bad_table bad_tables[] = {
    {"an unknown key", "repeat = 2\n"},
    {"an unknown key without a similar one", "hurry = true\n"},
    {"an unknown key of the server", "[sweep.server]\ncommand = 's'\ncomand = 's'\n"},
    {"a wrong type", "repeats = \"two\"\n"},
    {"a wrong choice", "order = \"random\"\n"},
    {"a number out of range", "repeats = 0\n"},
    {"a seed out of range", "seed = -1\n"},
    {"a duration without a unit that is known",
     "[sweep.server]\ncommand='s'\nready-timeout='1w'\n"},
    {"a name that is a path", "name = \"a/b\"\n"},
    {"a name that is a folder above", "name = \"..\"\n"},
    {"an empty name", "name = \"\"\n"},
    {"axes that are no table", "axes = [1, 2]\n"},
    {"values that are no list", "[sweep.axes]\nload.max-concurrency = 3\n"},
    {"an empty list", "[sweep.axes]\nload.max-concurrency = []\n"},
    {"a parameter without a table", "[sweep.axes]\nmax-concurrency = [1]\n"},
    {"a key of the experiment", "[sweep.axes]\nsweep.repeats = [1, 2]\n"},
    {"the same parameter in two forms",
     "[sweep.axes]\n\"load.max-concurrency\" = [1]\nload.max-concurrency = [2]\n"},
    {"the same value twice", "[sweep.axes]\nload.max-concurrency = [1, 2, 1]\n"},
    {"a name among the axes", "[sweep.axes]\n_benchmark_name = ['a']\n"},
    {"zips that are no list of tables", "zip = { a.x = [1] }\n"},
    {"a zip of lists of different lengths", "[[sweep.zip]]\na.x = [1, 2]\na.y = [1, 2, 3]\n"},
    {"a zip without parameters", "[[sweep.zip]]\n"},
    {"a parameter in an axis and a zip", "[sweep.axes]\na.x = [1]\n[[sweep.zip]]\na.x = [2]\n"},
    {"the same pair twice", "[[sweep.zip]]\na.x = [1, 1]\na.y = ['b', 'b']\n"},
    {"the same name for two combinations",
     "[[sweep.zip]]\n_benchmark_name = ['b', 'b']\na.x = [1, 2]\n"},
    {"an exclude of a parameter that no axis has",
     "[sweep.axes]\na.x = [1, 2]\n[[sweep.exclude]]\na.z = 1\n"},
    {"an exclude that excludes nothing",
     "[sweep.axes]\na.x = [1, 2]\na.y = [3]\n[[sweep.exclude]]\na.x = 1\na.y = 4\n"},
    {"an exclude without a parameter", "[[sweep.exclude]]\n"},
    {"excludes that are no list", "exclude = 'a'\n"},
    {"excludes that leave nothing", "[sweep.axes]\na.x = [1]\n[[sweep.exclude]]\na.x = 1\n"},
    {"a server that is no table", "server = 'vllm serve'\n"},
    {"a server without a command", "[sweep.server]\n[sweep.server.axes]\nx = [1]\n"},
    {"a command that is a number", "[sweep.server]\ncommand = 5\n"},
    {"a command that is an empty list", "[sweep.server]\ncommand = []\n"},
    {"a command that is an empty text", "[sweep.server]\ncommand = ''\n"},
    {"a command with a quotation mark that is not closed", "[sweep.server]\ncommand = \"s 'a\"\n"},
    {"a command with a number", "[sweep.server]\ncommand = ['s', 1]\n"},
    {"a command without a program", "[sweep.server]\ncommand = ['', 'a']\n"},
    {"a command with a zero byte", "[sweep.server]\ncommand = [\"s\", \"a\\u0000b\"]\n"},
    {"a link that is no pair", "links = ['max_num_seqs']\n"},
    {"links that are a number", "links = 4\n"},
    {"links that nothing satisfies", "links = ['a=b.c']\n"},
    {"reporters that are no list", "reporter = 'csv'\n"},
    {"a folder with too long a name",
     "[sweep.axes]\na.x = ['"
     "0123456789012345678901234567890123456789012345678901234567890123456789"
     "0123456789012345678901234567890123456789012345678901234567890123456789"
     "0123456789012345678901234567890123456789012345678901234567890123456789"
     "0123456789012345678901234567890123456789012345678901234567890123456789']\n"},
    {"values with the same folder", "[sweep.axes]\na.x = ['b/c', 'b_c']\n"},
};

TEST(toml_sweep, that_cannot_be_carried_out_is_refused_with_its_place) {
  std::string found;
  for (const bad_table& each : bad_tables) {
    found += std::string("# ") + each.title + "\n";
    try {
      (void)planned_of(each.toml);
      found += "accepted\n";
    } catch (const options::usage_error& e) {
      found += std::string("2: ") + e.what() + "\n";
    } catch (const base::error& e) {
      found += std::string("1: ") + e.what() + "\n";
    }
  }
  support::expect_golden(found, std::string(INFERBENCH_FIXTURES) + "/sweep/toml_errors.txt");
}

TEST(toml_sweep, as_text_reads_back_as_the_same_table) {
  const options::node table = sweep_table_of(R"(repeats = 2
name = "a \"b\""
[sweep.axes]
"load.max-concurrency" = [1, 2.5, "x", true, [1, 2], inf]
load.request-rate = [3]
[[sweep.zip]]
a.x = [1, 2]
a.y = [3, 4]
[[sweep.zip]]
a.z = [1]
[[sweep.exclude]]
a.x = 1
[[sweep.reporter]]
use = "csv"
[sweep.server]
command = ["vllm", "serve"]
axes = { max_num_seqs = [1, 2] }
)");
  const std::string text = toml_of(table);
  EXPECT_THAT(text, StartsWith("[sweep]\nrepeats = 2\n"));
  const options::node again = options::parse_toml(text, "again.toml", options::test_environment());
  EXPECT_EQ(options::to_toml(*again.find("sweep")), options::to_toml(table));
  EXPECT_EQ(toml_of(*again.find("sweep")), text);
}

TEST(toml_sweep, of_an_empty_table_is_its_header) {
  EXPECT_EQ(toml_of(options::node::table()), "[sweep]\n");
}

}  // namespace
}  // namespace inferbench::sweep

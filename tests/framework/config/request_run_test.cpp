// Tests the command `run`: plans from TOML files and --set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "framework/config/serve_bench.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class run : public testing::Test {
 protected:
  request parse(std::string_view text, std::vector<std::string> more = {}) {
    more.insert(more.begin(), files.write("run.toml", text));
    return parse_run(more, env, plugins);
  }
  const support::temporary_folder files;
  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(run, takes_more_reporters_with_their_flags) {
  plugins.show_all();
  const plan p = parse("[run]\nresult-dir = \"out\"\n[[reporter]]\nuse = \"json\"\n",
                       {"--reporter", "lines=a.csv", "--lines-wide"})
                     .plan;
  EXPECT_THAT(uses(p), ElementsAre("json", "lines"));
  EXPECT_EQ(p.reporters[1].find("file")->text, "out/a.csv");
  EXPECT_EQ(p.reporters[1].find("wide")->integer, 1);
  EXPECT_THAT(uses(parse("", {"--reporter=lines"}).plan), ElementsAre("console", "lines"));
  EXPECT_THAT(complaint_of([&] { (void)parse("", {"--lines-wide"}); }),
              HasSubstr("unknown flag --lines-wide; add --reporter lines"));
}

TEST_F(run, reads_hf_by_its_id) {
  plugins.show_all();
  EXPECT_EQ(parse("[dataset]\nuse = \"hf\"\npath = "
                  "\"gorilla-llm/Berkeley-Function-Calling-Leaderboard\"\n")
                .plan.dataset_name,
            "bfcl");
}

TEST_F(run, a_printed_plan_reads_back_as_itself) {
  plugins.show_all();
  const std::vector<std::vector<std::string>> lines{
      {},
      {"--skip-tokenizer-init", "--base-url", "http://x:1/y", "--burstiness", "inf"},
      {"--backend",
       "openai-chat",
       "--dataset-name",
       "sharegpt",
       "--dataset-path",
       "~/a \"b\".json",
       "--header",
       "A=b",
       "B=${TOKEN}",
       "--metadata",
       "k=v=w",
       "é=ü",
       "--request-rate",
       "0.1",
       "--max-concurrency",
       "64",
       "--goodput",
       "ttft:200",
       "tpot:50.5",
       "--save-result",
       "--result-dir",
       "out",
       "--extra-body",
       R"({"stop": null, "n": 1, "f": 1.0})",
       "--top-p",
       "0.5",
       "--label",
       "a\tb\n",
       "--json-indent",
       "3",
       "--plugin-dir",
       "p",
       "--model",
       "m",
       "--served-model-name",
       "s",
       "--tokenizer",
       "t",
       "--metric-percentiles",
       "50,90,99.9",
       "--connect-timeout",
       "1.5ms",
       "--disable-tqdm",
       "--journal",
       "j"},
      {"--dataset-name", "prefix_repetition", "--prefix-repetition-tags", "x", "${HOME}",
       "--prefix-repetition-limits.image", "3", "--no-reranker", "--openai-flavour", "spicy",
       "--extra-body", R"({"b": {"z": [1, "x"], "a": {}}, "a": "${HOME}"})", "--request-id-prefix",
       "${HOME}"},
      {"--salt", "auto"},
      {"--backend", "embed", "--append-result", "--percentile-metrics", "e2el,ttft"}};
  for (const auto& args : lines) {
    const plan first = parse_serve(args, env, plugins).plan;
    const plan second = parse(first.toml).plan;
    EXPECT_EQ(second.toml, first.toml);
    EXPECT_EQ(second.json, first.json);
    EXPECT_EQ(second.server.base_urls.front(), first.server.base_urls.front());
    EXPECT_EQ(second.server.headers, first.server.headers);
    EXPECT_EQ(second.metadata, first.metadata);
    EXPECT_EQ(second.model, first.model);
    EXPECT_EQ(second.served_model, first.served_model);
    EXPECT_EQ(second.tokenizer_id, first.tokenizer_id);
    EXPECT_EQ(second.request_id_prefix, first.request_id_prefix);
    EXPECT_EQ(second.salt, first.salt);
    EXPECT_EQ(second.load.traffic, first.load.traffic);
    EXPECT_EQ(second.figures.goodput, first.figures.goodput);
    ASSERT_EQ(second.reporters.size(), first.reporters.size());
    const auto texts = [](const options::plugin_choice& c) {
      std::vector<std::string> out;
      for (const options::option_value& v : c.values) {
        out.push_back(std::to_string(v.is_set) + v.text + std::to_string(v.integer));
        out.insert(out.end(), v.list.begin(), v.list.end());
      }
      return out;
    };
    EXPECT_EQ(texts(second.backend), texts(first.backend));
    EXPECT_EQ(texts(second.dataset), texts(first.dataset));
    for (std::size_t i = 0; i < first.reporters.size(); ++i)
      EXPECT_EQ(texts(second.reporters[i]), texts(first.reporters[i]));
  }
}

TEST_F(run, several_reporters_print_as_themselves) {
  const plan first = parse(R"(
[run]
metadata = { a = "1", b = "${TOKEN}", c = "$${TOKEN}" }
label = "general"
save-result = true
[[reporter]]
use = "json"
indent = 2
label = "own"
[[reporter]]
use = "json"
metadata = ["${TOKEN}=2", "d=${TOKEN}"]
[[reporter]]
use = "file"
path = "$${HOME}"
limit = 1000
)")
                         .plan;
  const plan second = parse(first.toml).plan;
  EXPECT_EQ(second.toml, first.toml);
  EXPECT_EQ(second.json, first.json);
  EXPECT_THAT(second.metadata,
              ElementsAre(Pair("a", "1"), Pair("b", "s3cret"), Pair("c", "${TOKEN}")));
  ASSERT_EQ(second.reporters.size(), 3U);
  EXPECT_EQ(second.reporters[0].find("label")->text, "own");
  EXPECT_THAT(second.reporters[0].find("metadata")->list,
              ElementsAre("a=1", "b=s3cret", "c=${TOKEN}"));
  EXPECT_EQ(second.reporters[1].find("label")->text, "general");
  EXPECT_EQ(second.reporters[1].find("indent")->integer, 0);
  EXPECT_THAT(second.reporters[1].find("metadata")->list, ElementsAre("${TOKEN}=2", "d=${TOKEN}"));
  EXPECT_EQ(second.reporters[2].find("path")->text, "${HOME}");
  EXPECT_EQ(second.reporters[2].find("limit")->integer, 1000);
}

TEST_F(run, reporters_come_from_the_file) {
  const plan p = parse(R"(
[run]
metadata = { a = "1" }
[[reporter]]
use = "file"
path = "~/out"
every = "2s"
limit = "1KiB"
[[reporter]]
use = "json"
metadata = ["b=2"]
)")
                     .plan;
  ASSERT_EQ(p.reporters.size(), 2U);
  EXPECT_EQ(p.reporters[0].find("path")->text, "/home/me/out");
  EXPECT_EQ(p.reporters[0].find("every")->integer, 2'000'000'000);
  EXPECT_EQ(p.reporters[0].find("limit")->integer, 1024);
  EXPECT_THAT(p.reporters[1].find("metadata")->list, ElementsAre("b=2"));
}

TEST_F(run, without_reporters_the_console_is_one) {
  EXPECT_EQ(parse("").plan.reporters.front().use, "console");
  EXPECT_EQ(parse("[run]\nsave-result = true\n").plan.reporters.size(), 2U);
}

TEST_F(run, a_result_that_no_reporter_of_the_file_writes_is_a_warning) {
  const std::string file = "[run]\nsave-result = true\n[[reporter]]\nuse = \"console\"\n";
  const auto about_saving = testing::Contains(testing::StartsWith("no result is saved: "));
  EXPECT_THAT(parse(file).warnings, about_saving);
  EXPECT_THAT(parse(file + "[[reporter]]\nuse = \"json\"\n").warnings, Not(about_saving));
  EXPECT_THAT(parse("[run]\nsave-result = true\n").warnings, Not(about_saving));
}

TEST_F(run, set_takes_one_value_so_the_file_may_come_last) {
  const std::string path = files.write("last.toml", "[run]\nseed = 1\n");
  const std::vector<std::string> args{"--set", "run.seed=2", "--set", "load.burstiness=3", path};
  const plan p = parse_run(args, env, plugins).plan;
  EXPECT_EQ(p.seed, 2U);
  EXPECT_EQ(p.load.burstiness, 3.0);
}

TEST_F(run, set_overrides_the_file) {
  const plan p = parse(
                     "[load]\nrequest-rate = 1.0\n[backend]\nextra-body = { a = 1, b = 2 }\n"
                     "[server]\nheader = { A = \"1\" }\n",
                     {"--set", "load.request-rate=inf", "--set", "dataset.input-len=9", "--set",
                      "backend.extra-body.b=3", "--set", "backend.extra-body.c.d=x", "--set",
                      "server.header=[\"B=2\"]", "--set", "run.progress=false", "--set",
                      "metrics.metric-percentiles=50,90"})
                     .plan;
  EXPECT_EQ(p.load.traffic, schedule::pattern(schedule::at_once{}));
  EXPECT_EQ(p.dataset.find("input-len")->integer, 9);
  EXPECT_EQ(p.backend.find("extra-body")->text, R"({"a": 1, "b": 3, "c": {"d": "x"}})");
  EXPECT_THAT(p.server.headers, ElementsAre(Pair("B", "2")));
  EXPECT_EQ(p.live.shown, live_display::view::none);
  EXPECT_THAT(p.figures.percentiles, ElementsAre(50.0, 90.0));
}

TEST_F(run, set_may_choose_the_plugin) {
  const plan p = parse("", {"--set", "dataset.use=sharegpt", "--set", "dataset.path=x"}).plan;
  EXPECT_EQ(p.dataset.find("path")->text, "x");
}

TEST_F(run, secrets_are_printed_by_the_name_of_their_variable_or_not_at_all) {
  const plan named =
      parse("[server]\napi-key = \"${TOKEN}\"\nheader = { A = \"${TOKEN}\" }\n").plan;
  EXPECT_EQ(named.server.api_key, "s3cret");
  EXPECT_THAT(named.server.headers, ElementsAre(Pair("A", "s3cret")));
  EXPECT_THAT(named.toml, HasSubstr("api-key = \"${TOKEN}\"\n"));
  EXPECT_THAT(named.toml + named.json, Not(HasSubstr("s3cret")));
  const plan plain = parse("[server]\napi-key = \"hunter2\"\n").plan;
  EXPECT_THAT(plain.toml, HasSubstr("# api-key is secret and not printed"));
  EXPECT_THAT(plain.toml + plain.json, Not(HasSubstr("hunter2")));
}

TEST_F(run, a_variable_may_hold_any_type) {
  EXPECT_EQ(parse("[server]\nport = \"${PORT}\"\n").plan.server.base_urls.front(),
            "http://127.0.0.1:8123");
}

TEST_F(run, plugin_folders_of_the_file_count_before_anything_is_loaded) {
  (void)parse("[plugin]\ndir = [\"a\"]\nallow-unsafe = true\n");
  EXPECT_THAT(plugins.folders, ElementsAre("a"));
  EXPECT_TRUE(plugins.allow_unsafe);
}

}  // namespace
}  // namespace inferbench::config

// Tests which plugins a command line of `serve` chooses and loads, and the flags that the plugins
// declare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/serve_bench.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class serve_plugins : public serve_bench {};

TEST_F(serve_plugins, the_flags_of_the_chosen_plugins_need_no_listing) {
  const plan p = plan_of({"--random-input-len", "7", "--openai-flavour=spicy"});
  EXPECT_EQ(dataset_value(p, "input-len").integer, 7);
  EXPECT_EQ(p.backend.find("flavour")->text, "spicy");
  EXPECT_EQ(plugins.listed, 0);
}

TEST_F(serve_plugins, a_prefix_may_mean_a_flag_of_any_plugin) {
  EXPECT_EQ(dataset_value(plan_of({"--random-input", "7"}), "input-len").integer, 7);
  EXPECT_EQ(plan_of({"--num-prompt", "5"}).num_prompts, 5);
  EXPECT_EQ(plugins.listed, 2);
  EXPECT_THAT(complaint({"--random", "1"}), HasSubstr("--random could be --random-"));
}

TEST_F(serve_plugins, the_plugin_itself_may_be_named_by_a_prefix) {
  const plan p = plan_of({"--dataset-n", "sharegpt", "--dataset-p=x.json", "--sharegpt-out", "3"});
  EXPECT_EQ(p.dataset_name, "sharegpt");
  EXPECT_EQ(dataset_value(p, "output-len").integer, 3);
}

TEST_F(serve_plugins, a_flag_of_a_plugin_that_is_not_used_is_checked_and_dropped) {
  const plan p = plan_of({"--sharegpt-output-len", "7", "--no-reranker"});
  EXPECT_EQ(dataset_value(p, "output-len").integer, 128);
  EXPECT_EQ(complaint({"--sharegpt-output-len", "x"}),
            "--sharegpt-output-len: expected a whole number, not \"x\"; give a whole number");
}

TEST_F(serve_plugins, flags_of_unused_plugins_are_reported_in_a_line_for_each_plugin) {
  const request r =
      parse({"--sharegpt-output-len", "7", "--no-reranker", "--prefix-repetition-num-prefixes", "3",
             "--hf-split", "x", "--hf-name", "y", "--temperature", "0"});
  EXPECT_THAT(r.warnings,
              ElementsAre("--sharegpt-output-len has no effect: dataset sharegpt is not in use",
                          "--no-reranker, --prefix-repetition-num-prefixes have no effect: dataset "
                          "prefix_repetition is not in use",
                          "--hf-split, --hf-name have no effect: dataset hf is not installed"));
  EXPECT_THAT(r.line, HasSubstr("--sharegpt-output-len 7"));
}

TEST_F(serve_plugins, a_flag_of_a_reporter_that_is_not_used_is_refused_with_the_flag_that_adds_it) {
  EXPECT_EQ(complaint({"--file-every", "2s"}),
            "--file-every: reporter file is not in use; add --reporter file");
  EXPECT_EQ(complaint({"--file-ev", "2s"}),
            "--file-every: reporter file is not in use; add --reporter file");
  EXPECT_EQ(complaint({"--json-indent=2"}),
            "--json-indent: reporter json is not in use; add --reporter json");
  EXPECT_THROW((void)parse({"--file-every", "2s"}), options::usage_error);
  EXPECT_EQ(complaint({"--save-result", "--json-indent=2"}), "");
  EXPECT_EQ(complaint({"--reporter", "json", "--json-indent=2"}), "");
}

TEST_F(serve_plugins, values_of_flags_without_effect_are_read_by_type_and_not_by_range) {
  EXPECT_EQ(complaint({"--dataset-name", "prefix_repetition", "--random-input-len", "0"}), "");
  EXPECT_THROW((void)parse({"--hf-output-len", "x"}), options::usage_error);
  EXPECT_THROW((void)parse({"--random-mm-bucket-config", "x"}), options::usage_error);
}

TEST_F(serve_plugins, the_id_of_a_data_set_decides_which_of_ours_hf_is) {
  plugins.show_all();
  const char* id = "gorilla-llm/Berkeley-Function-Calling-Leaderboard";
  const request r = parse({"--dataset-name", "hf", "--dataset-path", id, "--temperature", "0"});
  EXPECT_EQ(r.plan.dataset_name, "bfcl");
  EXPECT_EQ(dataset_value(r.plan, "path").text, id);
  EXPECT_THAT(r.warnings, ElementsAre("dataset hf is read as bfcl for that id"));
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_THAT(r.plan.toml, HasSubstr("[dataset]\nuse = \"bfcl\"\n"));
}

TEST_F(serve_plugins, a_folder_may_be_named_by_the_id_that_it_holds) {
  plugins.show_all();
  const request r =
      parse({"--dataset-name", "hf", "--dataset-path", "/data", "--hf-name",
             "gorilla-llm/Berkeley-Function-Calling-Leaderboard", "--hf-output-len", "9",
             "--bfcl-categories", "simple", "--hf-split", "train", "--temperature", "0"});
  EXPECT_EQ(r.plan.dataset_name, "bfcl");
  EXPECT_EQ(dataset_value(r.plan, "path").text, "/data");
  EXPECT_EQ(dataset_value(r.plan, "output-len").integer, 9);
  EXPECT_THAT(dataset_value(r.plan, "categories").list, ElementsAre("simple"));
  EXPECT_THAT(r.warnings, ElementsAre("dataset hf is read as bfcl for that id",
                                      "--hf-split has no effect: dataset bfcl has no such option"));
  EXPECT_EQ(dataset_value(plan_of({"--dataset-name=hf", "--dataset-path=/d", "--hf-name",
                                   "gorilla-llm/Berkeley-Function-Calling-Leaderboard",
                                   "--hf-output-len", "9", "--output-len", "5"}),
                          "output-len")
                .integer,
            5);
}

TEST_F(serve_plugins, a_dataset_that_is_not_installed_is_named) {
  for (const std::string name : {"hf", "random-mm", "nonsense"})
    EXPECT_THAT(complaint({"--dataset-name", name, "--hf-split", "x"}),
                HasSubstr("no dataset is called " + name));
  EXPECT_THROW((void)parse({"--dataset-name", "nonsense"}), options::usage_error);
}

TEST_F(serve_plugins, auto_is_the_model_tokenizer_where_installed_else_the_server) {
  EXPECT_EQ(plan_of({}).tokenizer->use, "server");
  plugins.show_all();
  const plan p = plan_of({"--tokenizer", "~/t", "--model", "m", "--trust-remote-code"});
  EXPECT_EQ(p.tokenizer->use, "hf");
  EXPECT_EQ(p.tokenizer->find("path")->text, "/home/me/t");
  EXPECT_EQ(p.tokenizer->find("model")->text, "m");
  EXPECT_EQ(p.tokenizer->find("trust-remote-code")->integer, 1);
  EXPECT_EQ(p.tokenizer_id, "~/t");
}

TEST_F(serve_plugins, auto_has_the_server_where_the_model_has_no_files) {
  plugins.show_all();
  const plan p = plan_of({"--model", "m"});
  ASSERT_EQ(p.tokenizers_after.size(), 1U);
  EXPECT_EQ(p.tokenizers_after[0].use, "server");
  EXPECT_THAT(p.toml, HasSubstr("use = \"auto\""));
  EXPECT_THAT(plan_of({"--model", "m", "--tokenizer-mode", "hf"}).tokenizers_after, IsEmpty());
  for (const char* mode : {"slow", "mistral", "deepseek_v32"})
    EXPECT_EQ(plan_of({"--model", "m", "--tokenizer-mode", mode}).tokenizer->use, "hf") << mode;
}

TEST_F(serve_plugins, a_model_that_the_server_will_name_is_not_missed) {
  plugins.show_all();
  EXPECT_EQ(plan_of({}).tokenizer->find("model"), nullptr);
}

TEST_F(serve_plugins, no_tokenizer_wins_over_any) {
  for (const auto& args :
       {std::vector<std::string>{"--skip-tokenizer-init", "--tokenizer-mode", "bytes"},
        std::vector<std::string>{"--tokenizer-mode", "bytes", "--skip-tokenizer-init"}}) {
    const plan p = plan_of(args);
    EXPECT_FALSE(p.tokenizer.has_value());
    EXPECT_THAT(p.toml, HasSubstr("use = \"none\""));
  }
  EXPECT_EQ(plan_of({"--tokenizer-mode", "bytes"}).tokenizer->use, "bytes");
}

TEST_F(serve_plugins, our_own_flags_do_not_take_upstreams_prefixes) {
  EXPECT_EQ(plan_of({"--max", "7"}).load.max_concurrency, 7);
  EXPECT_EQ(plan_of({"--model=m", "--serv", "s"}).served_model, "s");
}

TEST_F(serve_plugins, plugin_folders_are_known_before_anything_is_loaded) {
  (void)plan_of({"--plugin-dir", "~/a", "b", "--allow-unsafe-plugin"});
  EXPECT_THAT(plugins.folders, ElementsAre("/home/me/a", "b"));
  EXPECT_TRUE(plugins.allow_unsafe);
  EXPECT_EQ(plugins.looked, 1);
}

TEST_F(serve_plugins, plugin_folders_that_are_given_one_by_one_all_count) {
  const request r = parse({"--plugin-dir", "a", "--plugin-dir", "b", "--temperature", "0"});
  EXPECT_THAT(plugins.folders, ElementsAre("a", "b"));
  EXPECT_THAT(r.warnings, IsEmpty());
}

}  // namespace
}  // namespace inferbench::config

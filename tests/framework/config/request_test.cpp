#include "config/request.hpp"

#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class serve : public testing::Test {
 protected:
  request parse(std::vector<std::string> args) { return parse_serve(args, env, plugins); }
  plan plan_of(std::vector<std::string> args) { return parse(std::move(args)).plan; }
  std::string complaint(std::vector<std::string> args) {
    return complaint_of([&] { (void)parse(std::move(args)); });
  }
  const options::option_value& dataset_value(const plan& p, std::string_view name) {
    const options::option_value* found = p.dataset.find(name);
    if (found == nullptr) throw std::runtime_error("not set: " + std::string(name));
    return *found;
  }

  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(serve, without_flags_the_defaults_are_upstreams) {
  const request r = parse({});
  const plan& p = r.plan;
  EXPECT_FALSE(r.print_config);
  EXPECT_EQ(p.seed, 0U);
  EXPECT_EQ(p.num_prompts, 1000);
  EXPECT_EQ(p.server.base_urls.front(), "http://127.0.0.1:8000");
  EXPECT_EQ(p.server.connect_timeout_ns, 10'000'000'000U);
  EXPECT_EQ(p.server.request_timeout_ns, 21'600'000'000'000U);
  EXPECT_EQ(p.backend.library.id(), "openai");
  EXPECT_EQ(p.backend.find("endpoint")->text, "/v1/completions");
  EXPECT_EQ(p.backend.find("model"), nullptr);
  EXPECT_EQ(p.dataset_name, "random");
  EXPECT_EQ(p.request_id_prefix, "bench-c0ffee01-");
  EXPECT_EQ(p.load.traffic, schedule::pattern(schedule::at_once{}));
  EXPECT_EQ(p.load.burstiness, 1.0);
  EXPECT_FALSE(p.load.max_concurrency.has_value());
  EXPECT_THAT(p.figures.selected, ElementsAre("ttft", "tpot", "itl"));
  EXPECT_THAT(p.figures.percentiles, ElementsAre(99.0));
  EXPECT_THAT(p.figures.goodput, IsEmpty());
  EXPECT_TRUE(p.oversample);
  EXPECT_TRUE(p.shuffle);
  EXPECT_EQ(p.live.shown, live_display::view::line);
  EXPECT_FALSE(p.files.saved);
  EXPECT_EQ(p.workers, 1);
  ASSERT_EQ(p.reporters.size(), 1U);
  EXPECT_EQ(p.reporters[0].use, "console");
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_EQ(plugins.looked, 1);
}

TEST_F(serve, flags_of_each_part_reach_their_members) {
  const plan p = plan_of({"--host",
                          "::1",
                          "--port",
                          "9",
                          "--header",
                          "A=b",
                          "C = d=e",
                          "--seed",
                          "7",
                          "--num-prompts",
                          "-1",
                          "--duration",
                          "90s",
                          "--request-rate",
                          "2.5",
                          "--burstiness",
                          "inf",
                          "--max-concurrency",
                          "4",
                          "--num-warmups",
                          "3",
                          "--ready-check-timeout-sec",
                          "5",
                          "--connect-timeout",
                          "250ms",
                          "--workers",
                          "2",
                          "--disable-tqdm",
                          "--profile",
                          "--metadata",
                          "k=v",
                          "--label",
                          "l",
                          "--journal",
                          "~/j",
                          "--result-dir",
                          "out",
                          "--no-oversample",
                          "--disable-shuffle",
                          "--request-id-prefix",
                          "p-",
                          "--metric-percentiles",
                          "50,99.9",
                          "--percentile-metrics",
                          "e2el",
                          "--goodput",
                          "ttft:200",
                          "e2el:1000",
                          "--threshold",
                          "p99_ttft_ms<=200",
                          "--threshold=failed<=1%",
                          "--threshold-certain",
                          "--model",
                          "m",
                          "--served-model-name",
                          "s",
                          "--tokenizer",
                          "t",
                          "--logprobs",
                          "3"});
  EXPECT_EQ(p.server.base_urls.front(), "http://[::1]:9");
  EXPECT_THAT(p.server.headers, ElementsAre(Pair("A", "b"), Pair("C", "d=e")));
  EXPECT_EQ(p.seed, 7U);
  EXPECT_EQ(p.num_prompts, -1);
  EXPECT_EQ(p.load.duration_ns, 90'000'000'000U);
  EXPECT_TRUE(p.load.ends());
  EXPECT_EQ(p.load.traffic, schedule::of_rate(2.5));
  EXPECT_TRUE(std::isinf(p.load.burstiness));
  EXPECT_EQ(p.load.max_concurrency, 4);
  EXPECT_EQ(p.preparation.num_warmups, 3);
  EXPECT_EQ(p.preparation.ready_check_timeout_ns, 5'000'000'000U);
  EXPECT_EQ(p.server.connect_timeout_ns, 250'000'000U);
  EXPECT_EQ(p.workers, 2);
  EXPECT_EQ(p.live.shown, live_display::view::none);
  EXPECT_TRUE(p.preparation.profile);
  EXPECT_THAT(p.metadata, ElementsAre(Pair("k", "v")));
  EXPECT_EQ(p.label, "l");
  EXPECT_EQ(p.files.journal, "/home/me/j");
  EXPECT_EQ(p.files.folder, "out");
  EXPECT_FALSE(p.oversample);
  EXPECT_FALSE(p.shuffle);
  EXPECT_EQ(p.request_id_prefix, "p-");
  EXPECT_THAT(p.figures.percentiles, ElementsAre(50.0, 99.9));
  EXPECT_THAT(p.figures.selected, ElementsAre("e2el"));
  EXPECT_THAT(p.figures.goodput, ElementsAre(Pair("ttft", 200.0), Pair("e2el", 1000.0)));
  EXPECT_THAT(p.figures.thresholds, ElementsAre("ttft.p99<=200ms", "failed<=1%"));
  EXPECT_TRUE(p.figures.thresholds_certain);
  EXPECT_EQ(p.model, "m");
  EXPECT_EQ(p.served_model, "s");
  EXPECT_EQ(p.tokenizer_id, "t");
  EXPECT_EQ(p.backend.find("model")->text, "s");
  EXPECT_EQ(p.backend.find("logprobs")->integer, 3);
}

TEST_F(serve, the_flags_of_the_rust_client_reach_their_members) {
  const plan p =
      plan_of({"--reset-prefix-cache", "--dry-run", "--max-model-len", "4096", "--record-power",
               "--profile", "--profile-batch-threshold", "32", "--profile-duration", "1.5"});
  EXPECT_TRUE(p.preparation.reset_prefix_cache);
  EXPECT_TRUE(p.dry_run);
  EXPECT_EQ(p.max_model_len, 4096);
  EXPECT_TRUE(p.observe.power);
  EXPECT_EQ(p.preparation.profile_batch_threshold, 32);
  EXPECT_EQ(p.preparation.profile_duration_ns, 1'500'000'000U);
  const plan plain = plan_of({});
  EXPECT_FALSE(plain.preparation.reset_prefix_cache || plain.dry_run || plain.observe.power);
  EXPECT_EQ(plain.max_model_len, std::nullopt);
  EXPECT_EQ(plain.preparation.profile_batch_threshold, std::nullopt);
  EXPECT_TRUE(plain.points.empty());
}

TEST_F(serve, a_sweep_over_concurrency_has_a_point_for_each_value) {
  const plan p = plan_of({"--sweep-max-concurrency", "1,8", "--sweep-num-prompts-factor", "10",
                          "--sweep-summary-percentiles", "95,99"});
  ASSERT_EQ(p.points.size(), 2U);
  EXPECT_EQ(p.points[1].label, "concurrency=8");
  EXPECT_EQ(p.points[1].max_concurrency, 8);
  EXPECT_EQ(p.points[1].num_prompts, 80);
  EXPECT_EQ(p.points[1].request_rate, std::nullopt);
  EXPECT_THAT(p.summary_percentiles, ElementsAre(50.0, 90.0, 95.0, 99.0));
  EXPECT_THAT(p.figures.percentiles, ElementsAre(99.0, 50.0, 90.0, 95.0));
}

TEST_F(serve, a_sweep_over_rates_may_end_with_all_at_once) {
  const plan p = plan_of({"--sweep-request-rate", "0.5,inf"});
  ASSERT_EQ(p.points.size(), 2U);
  EXPECT_EQ(p.points[0].label, "rate=0.5");
  EXPECT_EQ(p.points[0].request_rate, 0.5);
  EXPECT_EQ(p.points[0].num_prompts, std::nullopt);
  EXPECT_EQ(p.points[1].label, "rate=inf");
  EXPECT_TRUE(std::isinf(*p.points[1].request_rate));
}

TEST_F(serve, a_salt_is_the_text_that_is_given_or_the_run_s_own) {
  EXPECT_EQ(plan_of({}).salt, "");
  EXPECT_EQ(plan_of({"--salt", ""}).salt, "");
  EXPECT_EQ(plan_of({"--salt", "auto "}).salt, "auto ");
  const plan own = plan_of({"--salt", "auto"});
  EXPECT_EQ(own.salt, "[c0ffee01] ");
  EXPECT_THAT(own.toml, HasSubstr("salt = \"auto\"\n")) << "another one next time";
  EXPECT_THAT(own.json, HasSubstr("\"salt\": \"auto\""));
}

TEST_F(serve, a_base_url_replaces_host_and_port_unchanged) {
  const plan p = plan_of({"--base-url", "https://x.org/v2/", "--port", "9"});
  EXPECT_EQ(p.server.base_urls.front(), "https://x.org/v2/");
  EXPECT_THAT(p.toml, Not(HasSubstr("\nport")));
}

TEST_F(serve, a_negative_ready_check_means_no_ready_check) {
  EXPECT_EQ(plan_of({"--ready-check-timeout-sec", "-5"}).preparation.ready_check_timeout_ns, 0U);
}

TEST_F(serve, the_flags_of_the_chosen_plugins_need_no_listing) {
  const plan p = plan_of({"--random-input-len", "7", "--openai-flavour=spicy"});
  EXPECT_EQ(dataset_value(p, "input-len").integer, 7);
  EXPECT_EQ(p.backend.find("flavour")->text, "spicy");
  EXPECT_EQ(plugins.listed, 0);
}

TEST_F(serve, a_prefix_may_mean_a_flag_of_any_plugin) {
  EXPECT_EQ(dataset_value(plan_of({"--random-input", "7"}), "input-len").integer, 7);
  EXPECT_EQ(plan_of({"--num-prompt", "5"}).num_prompts, 5);
  EXPECT_EQ(plugins.listed, 2);
  EXPECT_THAT(complaint({"--random", "1"}), HasSubstr("--random could be --random-"));
}

TEST_F(serve, the_plugin_itself_may_be_named_by_a_prefix) {
  const plan p = plan_of({"--dataset-n", "sharegpt", "--dataset-p=x.json", "--sharegpt-out", "3"});
  EXPECT_EQ(p.dataset_name, "sharegpt");
  EXPECT_EQ(dataset_value(p, "output-len").integer, 3);
}

TEST_F(serve, a_flag_of_a_plugin_that_is_not_used_is_checked_and_dropped) {
  const plan p = plan_of({"--sharegpt-output-len", "7", "--no-reranker"});
  EXPECT_EQ(dataset_value(p, "output-len").integer, 128);
  EXPECT_EQ(complaint({"--sharegpt-output-len", "x"}),
            "--sharegpt-output-len: expected a whole number, not \"x\"; give a whole number");
}

TEST_F(serve, flags_of_unused_plugins_are_reported_in_a_line_for_each_plugin) {
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

TEST_F(serve, a_flag_of_a_reporter_that_is_not_used_is_refused_with_the_flag_that_adds_it) {
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

TEST_F(serve, values_of_flags_without_effect_are_read_by_type_and_not_by_range) {
  EXPECT_EQ(complaint({"--dataset-name", "prefix_repetition", "--random-input-len", "0"}), "");
  EXPECT_THROW((void)parse({"--hf-output-len", "x"}), options::usage_error);
  EXPECT_THROW((void)parse({"--random-mm-bucket-config", "x"}), options::usage_error);
}

TEST_F(serve, the_id_of_a_data_set_decides_which_of_ours_hf_is) {
  plugins.show_all();
  const char* id = "gorilla-llm/Berkeley-Function-Calling-Leaderboard";
  const request r = parse({"--dataset-name", "hf", "--dataset-path", id, "--temperature", "0"});
  EXPECT_EQ(r.plan.dataset_name, "bfcl");
  EXPECT_EQ(dataset_value(r.plan, "path").text, id);
  EXPECT_THAT(r.warnings, ElementsAre("dataset hf is read as bfcl for that id"));
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_THAT(r.plan.toml, HasSubstr("[dataset]\nuse = \"bfcl\"\n"));
}

TEST_F(serve, a_folder_may_be_named_by_the_id_that_it_holds) {
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

TEST_F(serve, a_dataset_that_is_not_installed_is_named) {
  for (const std::string name : {"hf", "random-mm", "nonsense"})
    EXPECT_THAT(complaint({"--dataset-name", name, "--hf-split", "x"}),
                HasSubstr("no dataset is called " + name));
  EXPECT_THROW((void)parse({"--dataset-name", "nonsense"}), options::usage_error);
}

TEST_F(serve, general_lengths_take_precedence_over_lengths_of_the_dataset) {
  for (const auto& args : {std::vector<std::string>{"--input-len", "5", "--random-input-len", "6",
                                                    "--output-len", "9"},
                           std::vector<std::string>{"--random-input-len", "6", "--output-len", "9",
                                                    "--input-len", "5"}}) {
    const plan p = plan_of(args);
    EXPECT_EQ(dataset_value(p, "input-len").integer, 5);
    EXPECT_EQ(dataset_value(p, "output-len").integer, 9);
  }
}

TEST_F(serve, a_general_length_that_the_dataset_lacks_is_ignored_with_a_warning) {
  const request r =
      parse({"--dataset-name", "sharegpt", "--dataset-path", "x", "--input-len", "5"});
  EXPECT_THAT(r.warnings, testing::Contains("--input-len has no effect: dataset sharegpt has no "
                                            "option input-len"));
}

TEST_F(serve, synthetic_prompts_run_past_the_end_of_sequence) {
  EXPECT_EQ(plan_of({}).backend.find("ignore-eos")->integer, 1);
  const std::vector<std::string> sharegpt{"--dataset-name", "sharegpt", "--dataset-path", "x"};
  EXPECT_EQ(plan_of(sharegpt).backend.find("ignore-eos")->integer, 0);
  EXPECT_EQ(plan_of({"--ignore-eos=false"}).backend.find("ignore-eos")->integer, 0);
}

TEST_F(serve, synthetic_prompts_of_other_authors_run_past_the_end_of_sequence_too) {
  const auto ignores = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--dataset-name", "guest-random"});
    const plan p = plan_of(more);
    const options::option_value* value = p.backend.find("ignore-eos");
    return value == nullptr ? -1 : value->integer;
  };
  EXPECT_EQ(ignores({}), 1);
  EXPECT_EQ(ignores({"--backend", "openai-chat"}), 1);
  EXPECT_EQ(ignores({"--ignore-eos=false"}), 0) << "the user has decided";
  EXPECT_EQ(ignores({"--backend", "audio"}), -1) << "the protocol has no sampling fields";
  EXPECT_EQ(plan_of({"--dataset-name", "hub"}).backend.find("ignore-eos")->integer, 0);
}

TEST_F(serve, a_time_leaves_the_number_of_requests_open_unless_it_is_given) {
  const plan timed = plan_of({"--duration", "1.5", "--request-rate", "20"});
  EXPECT_EQ(timed.load.duration_ns, 1'500'000'000U);
  EXPECT_EQ(timed.num_prompts, std::nullopt);
  EXPECT_THAT(timed.toml, HasSubstr("\nduration = \"1500ms\"\n"));
  EXPECT_THAT(timed.toml, Not(HasSubstr("num-prompts")));
  EXPECT_EQ(plan_of({"--duration", "30s", "--num-prompts", "7"}).num_prompts, 7);
  const plan plain = plan_of({});
  EXPECT_EQ(plain.num_prompts, 1000);
  EXPECT_FALSE(plain.load.ends());
}

TEST_F(serve, sampling_flags_are_members_of_extra_body) {
  const auto body = [&](std::vector<std::string> args) {
    return plan_of(std::move(args)).backend.find("extra-body")->text;
  };
  EXPECT_EQ(body({"--temperature", "0", "--top-k", "40"}), R"({"top_k": 40, "temperature": 0.0})");
  EXPECT_EQ(body({"--temperature", "0", "--extra-body", R"({"temperature": 1, "x": null})"}),
            R"({"temperature": 1, "x": null})");
  EXPECT_EQ(body({"--top-p=.9", "--extra-body.a.b", "3"}), R"({"top_p": 0.9, "a": {"b": 3}})");
  EXPECT_EQ(plan_of({}).backend.find("extra-body"), nullptr);
}

TEST_F(serve, a_missing_temperature_is_mentioned) {
  EXPECT_THAT(parse({}).warnings, ElementsAre(HasSubstr("--temperature 0")));
  EXPECT_THAT(parse({"--temperature", "0"}).warnings, IsEmpty());
  EXPECT_THAT(parse({"--extra-body.temperature", "0"}).warnings, IsEmpty());
}

TEST_F(serve, backends_without_sampling_refuse_the_flags_and_pooling_ignores_them) {
  EXPECT_EQ(complaint({"--backend", "audio", "--top-k", "3"}),
            "--top-k: backend audio takes no sampling flags, so 3 cannot be sent; leave it out");
  EXPECT_EQ(
      complaint({"--backend", "forms", "--top-k", "3"}),
      "--top-k: backend forms takes no sampling flags, so 3 cannot be sent; use --forms-top-k");
  const request r = parse({"--backend", "embed", "--top-k", "3"});
  EXPECT_EQ(r.plan.backend.find("extra-body"), nullptr);
  EXPECT_THAT(r.warnings, ElementsAre("--top-k has no effect: backend embed does not generate"));
  EXPECT_THAT(r.plan.figures.selected, ElementsAre("e2el"));
}

TEST_F(serve, an_option_that_the_backend_lacks_is_a_warning) {
  const request r = parse({"--backend", "openai-chat", "--logprobs", "3", "--temperature", "0"});
  EXPECT_THAT(r.warnings, ElementsAre("--logprobs has no effect: backend openai-chat has no option "
                                      "logprobs"));
}

TEST_F(serve, auto_is_the_model_tokenizer_where_installed_else_the_server) {
  EXPECT_EQ(plan_of({}).tokenizer->use, "server");
  plugins.show_all();
  const plan p = plan_of({"--tokenizer", "~/t", "--model", "m", "--trust-remote-code"});
  EXPECT_EQ(p.tokenizer->use, "hf");
  EXPECT_EQ(p.tokenizer->find("path")->text, "/home/me/t");
  EXPECT_EQ(p.tokenizer->find("model")->text, "m");
  EXPECT_EQ(p.tokenizer->find("trust-remote-code")->integer, 1);
  EXPECT_EQ(p.tokenizer_id, "~/t");
}

TEST_F(serve, auto_has_the_server_where_the_model_has_no_files) {
  plugins.show_all();
  const plan p = plan_of({"--model", "m"});
  ASSERT_EQ(p.tokenizers_after.size(), 1U);
  EXPECT_EQ(p.tokenizers_after[0].use, "server");
  EXPECT_THAT(p.toml, HasSubstr("use = \"auto\""));
  EXPECT_THAT(plan_of({"--model", "m", "--tokenizer-mode", "hf"}).tokenizers_after, IsEmpty());
  for (const char* mode : {"slow", "mistral", "deepseek_v32"})
    EXPECT_EQ(plan_of({"--model", "m", "--tokenizer-mode", mode}).tokenizer->use, "hf") << mode;
}

TEST_F(serve, a_model_that_the_server_will_name_is_not_missed) {
  plugins.show_all();
  EXPECT_EQ(plan_of({}).tokenizer->find("model"), nullptr);
}

TEST_F(serve, no_tokenizer_wins_over_any) {
  for (const auto& args :
       {std::vector<std::string>{"--skip-tokenizer-init", "--tokenizer-mode", "bytes"},
        std::vector<std::string>{"--tokenizer-mode", "bytes", "--skip-tokenizer-init"}}) {
    const plan p = plan_of(args);
    EXPECT_FALSE(p.tokenizer.has_value());
    EXPECT_THAT(p.toml, HasSubstr("use = \"none\""));
  }
  EXPECT_EQ(plan_of({"--tokenizer-mode", "bytes"}).tokenizer->use, "bytes");
}

TEST_F(serve, a_saved_result_adds_the_json_reporter_with_the_flags_it_declares) {
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

std::vector<std::string> uses(const plan& p) {
  std::vector<std::string> out;
  for (const options::plugin_choice& choice : p.reporters)
    out.push_back(choice.use);
  return out;
}

TEST_F(serve, named_reporters_are_added_to_the_console_and_reporters_of_other_flags) {
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

TEST_F(serve, a_named_reporter_has_its_own_flags) {
  plugins.show_all();
  const plan p = plan_of({"--reporter", "lines", "--lines-wide", "--lines-file", "~/x.csv"});
  EXPECT_EQ(p.reporters[1].find("wide")->integer, 1);
  EXPECT_EQ(p.reporters[1].find("file")->text, "/home/me/x.csv");
  EXPECT_TRUE(p.reporters[1].named);
  EXPECT_EQ(plugins.listed, 0);
  EXPECT_EQ(complaint({"--reporter", "file"}), "reporter file needs path; set --file-path");
}

TEST_F(serve, the_file_of_a_named_reporter_is_in_the_folder_of_results) {
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

TEST_F(serve, the_folder_of_results_has_an_effect_on_a_named_reporter) {
  plugins.show_all();
  const auto warnings = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--result-dir", "out", "--temperature", "0", "--model", "m"});
    return parse(std::move(args)).warnings;
  };
  EXPECT_THAT(warnings({"--reporter", "lines"}), IsEmpty());
  EXPECT_THAT(warnings({"--reporter", "console"}), ElementsAre(HasSubstr("--result-dir")));
}

TEST_F(serve, a_named_reporter_that_is_printed_reads_back_as_itself) {
  plugins.show_all();
  const plan p = plan_of({"--reporter", "lines", "--reporter", "mirror=m", "--result-dir", "out"});
  EXPECT_THAT(p.toml, HasSubstr("[[reporter]]\nuse = \"lines\"\nfile = \"out/{result}.csv\"\n"));
  const support::temporary_folder files;
  const std::string path = files.write("named.toml", p.toml);
  EXPECT_EQ(parse_run(std::vector{path}, env, plugins).plan.toml, p.toml);
}

TEST_F(serve, two_reporters_with_one_file_are_refused) {
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

TEST_F(serve, a_reporter_that_adds_runs_to_its_file_is_refused_standard_output) {
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

TEST_F(serve, a_reporter_that_is_named_wrongly_is_refused) {
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

TEST_F(serve, the_api_key_comes_from_the_environment_and_is_printed_nowhere) {
  env.variables["OPENAI_API_KEY"] = "sk-123";
  const plan p = plan_of({});
  EXPECT_EQ(p.server.api_key, "sk-123");
  EXPECT_EQ(p.backend.find("api-key")->text, "sk-123");
  EXPECT_THAT(p.toml, Not(HasSubstr("sk-123")));
  EXPECT_THAT(p.json, Not(HasSubstr("sk-123")));
}

TEST_F(serve, header_values_stay_out_of_results) {
  const plan p = plan_of({"--header", "Authorization=Bearer abc"});
  EXPECT_THAT(p.json, HasSubstr(R"x("header": {"Authorization": "(cut)"})x"));
  EXPECT_THAT(p.json, Not(HasSubstr("abc")));
}

TEST_F(serve, the_password_of_a_proxy_stays_out_of_results) {
  const plan p = plan_of({"--proxy", "http://me:hunter2@proxy:3128"});
  EXPECT_EQ(p.server.http_proxy, "http://me:hunter2@proxy:3128");
  EXPECT_THAT(p.json, HasSubstr(R"("proxy": "http://(cut)@proxy:3128")"));
  EXPECT_THAT(plan_of({"--proxy", "me:hunter2@proxy:3128"}).json,
              HasSubstr(R"("proxy": "(cut)@proxy:3128")"));
}

TEST_F(serve, our_own_flags_do_not_take_upstreams_prefixes) {
  EXPECT_EQ(plan_of({"--max", "7"}).load.max_concurrency, 7);
  EXPECT_EQ(plan_of({"--model=m", "--serv", "s"}).served_model, "s");
}

TEST_F(serve, plugin_folders_are_known_before_anything_is_loaded) {
  (void)plan_of({"--plugin-dir", "~/a", "b", "--allow-unsafe-plugin"});
  EXPECT_THAT(plugins.folders, ElementsAre("/home/me/a", "b"));
  EXPECT_TRUE(plugins.allow_unsafe);
  EXPECT_EQ(plugins.looked, 1);
}

TEST_F(serve, plugin_folders_that_are_given_one_by_one_all_count) {
  const request r = parse({"--plugin-dir", "a", "--plugin-dir", "b", "--temperature", "0"});
  EXPECT_THAT(plugins.folders, ElementsAre("a", "b"));
  EXPECT_THAT(r.warnings, IsEmpty());
}

TEST_F(serve, duplicates_and_unknown_metrics_are_warnings) {
  const request r =
      parse({"--seed", "1", "--seed", "2", "--percentile-metrics", "ttft,tpto", "--temperature=0"});
  const std::string metrics =
      "ttft, tpot, itl, e2el, client_queue_time, e2el_including_client_queue";
  EXPECT_EQ(r.plan.seed, 2U);
  EXPECT_THAT(r.warnings, ElementsAre("--seed is given more than once; the last one counts",
                                      "no percentiles of tpto: there is no such metric, only " +
                                          metrics + "; did you mean tpot?"));
  EXPECT_THAT(parse({"--percentile-metrics", "TTFT", "--temperature=0"}).warnings,
              ElementsAre("no percentiles of TTFT: there is no such metric, only " + metrics +
                          "; did you mean ttft?"));
}

TEST_F(serve, a_general_flag_is_named_where_a_plugins_own_is_meant) {
  EXPECT_THAT(complaint_of([&] { (void)parse({"--openai-endpoint", "/v1/go"}); }),
              HasSubstr("unknown flag --openai-endpoint; --endpoint sets this option of every "
                        "plugin"));
}

TEST_F(serve, a_calibration_has_no_configuration_to_print) {
  const auto calibrate = [&](const std::vector<std::string>& args) {
    return parse_calibrate(args, env, plugins);
  };
  EXPECT_THAT(calibrate({"--help=all"}).load.help, Not(HasSubstr("--print-config")));
  EXPECT_THAT(calibrate({"--help=all"}).load.help, HasSubstr("--duration-limit"));
  EXPECT_EQ(complaint_of([&] { (void)calibrate({"--print-config"}); }),
            "unknown flag --print-config; use inferbench serve --print-config or inferbench run "
            "--print-config");
  EXPECT_EQ(calibrate({"--duration-limit", "2s"}).limit_ns, 2'000'000'000U);
}

TEST_F(serve, print_config_is_a_wish_and_not_a_key) {
  const request r = parse({"--print-config"});
  EXPECT_TRUE(r.print_config);
  EXPECT_THAT(r.plan.toml, Not(HasSubstr("print")));
  EXPECT_FALSE(parse({"--print-config=false"}).print_config);
  EXPECT_EQ(complaint({"--print-config=yes"}),
            "--print-config: expected true or false, not \"yes\"; give true or false");
}

TEST_F(serve, a_body_that_is_nested_too_deep_is_named_by_its_flag) {
  std::string name = "--extra-body";
  for (int i = 0; i < 150; ++i)
    name += ".a";
  const std::string value = std::string(150, '[') + std::string(150, ']');
  EXPECT_EQ(complaint({name, value}),
            "--extra-body: JSON is nested more than 200 levels deep; make it flatter");
}

TEST_F(serve, help_loads_nothing) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"-h"},
        std::vector<std::string>{"--hel"},
        std::vector<std::string>{"--backend", "none", "--help=all"}}) {
    EXPECT_THAT(parse(args).help, testing::StartsWith("usage: inferbench serve"));
  }
  EXPECT_THAT(plugins.loads, IsEmpty());
}

TEST(tokenizer_command, knows_tokenizer_and_server_and_nothing_else) {
  fake_catalog plugins;
  plugins.show_all();
  const options::environment env = test_environment();
  const auto plan_of = [&](std::vector<std::string> args) {
    return parse_tokenizer(args, env, plugins).plan;
  };
  const plan alone = plan_of({"--tokenizer", "org/name"});
  EXPECT_EQ(alone.tokenizer->use, "hf");
  EXPECT_EQ(alone.tokenizer->find("path")->text, "org/name");
  EXPECT_THAT(alone.tokenizers_after, IsEmpty());
  EXPECT_EQ(plan_of({"--model", "m", "--port", "9"}).tokenizers_after.size(), 1U);
  EXPECT_EQ(plan_of({"--tokenizer-mode", "bytes"}).tokenizer->use, "bytes");
  for (const char* flag : {"--num-prompts", "--dataset-name", "--backend", "--print-config"})
    EXPECT_THROW(plan_of({flag, "x"}), base::error) << flag;
}

TEST(dataset_show, knows_dataset_tokenizer_and_server_but_no_load) {
  fake_catalog plugins;
  const options::environment env = test_environment();
  const std::vector<std::string> good{"--random-input-len", "3",     "--seed", "5", "--model", "m",
                                      "--tokenizer-mode",   "bytes", "--port", "9"};
  const plan p = parse_dataset_show(good, env, plugins).plan;
  EXPECT_EQ(p.seed, 5U);
  EXPECT_EQ(p.model, "m");
  EXPECT_EQ(p.dataset.find("input-len")->integer, 3);
  EXPECT_EQ(p.backend.library.plugin, nullptr);
  EXPECT_THAT(p.reporters, IsEmpty());
  EXPECT_THAT(plugins.loads, ElementsAre("random", "bytes"));
  const std::vector<std::string> bad{"--request-rate", "3"};
  EXPECT_THAT(complaint_of([&] { (void)parse_dataset_show(bad, env, plugins); }),
              HasSubstr("unknown flag --request-rate"));
}

TEST(dataset_show, conversations_need_no_backend) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  const std::vector<std::string> words{"--model", "m", "--tokenizer-mode", "bytes", "--multi-turn"};
  const plan p = parse_dataset_show(words, env, plugins).plan;
  EXPECT_TRUE(p.load.multi_turn.on);
  EXPECT_EQ(p.load.turn_body, "");
}

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

// tests/fixtures/config/errors.txt has "$ command" and below it the message for the user.
TEST(messages, of_every_error_are_as_recorded) {
  const std::string folder = std::string(INFERBENCH_FIXTURES) + "/config/";
  const std::string golden = base::read_file(folder + "errors.txt");
  const options::environment env = test_environment();
  std::string found;
  int count = 0;
  for (const std::string_view line : base::split(golden, '\n')) {
    if (line.starts_with('#')) found += std::string(line) + "\n";
    if (!line.starts_with("$ ")) continue;
    std::vector<std::string> words;
    for (const std::string_view word : base::split(line.substr(2), ' '))
      words.emplace_back(word);
    const std::string command = words.front();
    words.erase(words.begin());
    if (command == "run" && !words.empty()) words.front() = folder + words.front();
    fake_catalog plugins;
    std::string message;
    try {
      (void)(command == "serve" ? parse_serve(words, env, plugins)
             : command == "run" ? parse_run(words, env, plugins)
                                : parse_dataset_show(words, env, plugins));
    } catch (const options::usage_error& e) {
      message = std::string("[2] ") + e.what();
    } catch (const base::error& e) {
      message = std::string("[1] ") + e.what();
    }
    EXPECT_NE(message, "") << line;
    const bool of_a_value = message.find(": expected ") != std::string::npos;
    EXPECT_TRUE(!of_a_value || message.find("; ") != std::string::npos) << message;
    for (auto at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.erase(at, folder.size());
    found += "\n" + std::string(line) + "\n" + message + "\n";
    ++count;
  }
  support::expect_golden(found, folder + "errors.txt");
  EXPECT_GT(count, 60);
}

TEST(help, keeps_within_a_hundred_columns) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  for (const auto& parse : {parse_serve, parse_run, parse_dataset_show}) {
    const std::string text = parse(std::vector<std::string>{"--help=all"}, env, plugins).help;
    for (const std::string_view line : base::split(text, '\n'))
      EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(help, of_a_filter_shows_only_matching_flags) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  const auto help = [&](const std::string& topic) {
    return parse_serve(std::vector<std::string>{"--help=" + topic}, env, plugins).help;
  };
  EXPECT_THAT(help("METRICS"), AllOf(HasSubstr("\nmetrics:\n"), HasSubstr("--goodput"),
                                     Not(HasSubstr("--request-rate"))));
  EXPECT_THAT(help("ramp-up"), AllOf(HasSubstr("--ramp-up-end-rps"), Not(HasSubstr("--seed"))));
  EXPECT_THAT(help("endpoint-type"), HasSubstr("Old spelling of --backend"));
  EXPECT_THAT(help("nothing of the kind"), HasSubstr("Nothing matches"));
  EXPECT_THAT(help(""), Not(HasSubstr("--endpoint-type")));
}

TEST(help, of_each_command_is_as_recorded) {
  const options::environment env = test_environment();
  const std::string folder = std::string(INFERBENCH_FIXTURES) + "/config/";
  const auto help = [&](auto parse, std::string flag) {
    fake_catalog plugins;
    const std::vector<std::string> args{std::move(flag)};
    return parse(args, env, plugins).help;
  };
  support::expect_golden(help(parse_serve, "--help"), folder + "help_serve.txt");
  support::expect_golden(help(parse_serve, "--help=all"), folder + "help_serve_all.txt");
  support::expect_golden(help(parse_serve, "--help=dataset random"),
                         folder + "help_serve_group.txt");
  support::expect_golden(help(parse_serve, "--help=penalty"), folder + "help_serve_text.txt");
  support::expect_golden(help(parse_run, "--help"), folder + "help_run.txt");
  support::expect_golden(help(parse_dataset_show, "--help"), folder + "help_dataset_show.txt");
}

}  // namespace
}  // namespace inferbench::config

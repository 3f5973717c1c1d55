#include "config/request.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/serve_bench.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class serve : public serve_bench {};

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

}  // namespace
}  // namespace inferbench::config

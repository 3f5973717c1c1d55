#include "observe/server_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/observe/fact_of.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::observe {
namespace {

using metrics::metric;
using services::target;
using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* page =
    "# HELP vllm:spec_decode_num_drafts_total Drafts.\n"
    "# TYPE vllm:spec_decode_num_drafts_total counter\n"
    "vllm:spec_decode_num_drafts_total{engine=\"0\",model_name=\"m\"} 10.0\n"
    "vllm:spec_decode_num_drafts_total{engine=\"1\",model_name=\"m\"} 5.9\n"
    "vllm:spec_decode_num_drafts_created{engine=\"0\"} 1.7e+09\n"
    "vllm:spec_decode_num_draft_tokens_total{engine=\"0\"} 1e2\n"
    "vllm:spec_decode_num_accepted_tokens_total{engine=\"0\"}   40\n"
    "\n"
    "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"0\"} 9\n"
    "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"1\",position=\"0\"} 3\n"
    "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\",position=\"10\"} 2\n"
    "vllm:spec_decode_num_accepted_tokens_per_pos_total{engine=\"0\"} 7\n";

TEST(read_counters, sums_over_label_sets_and_cuts_to_whole_numbers) {
  const server_counters read = read_counters(page);
  ASSERT_TRUE(read.speculative);
  EXPECT_EQ(read.speculative->drafts, 15);
  EXPECT_EQ(read.speculative->draft_tokens, 100);
  EXPECT_EQ(read.speculative->accepted, 40);
  EXPECT_THAT(read.speculative->accepted_at, ElementsAre(Pair(0, 12), Pair(10, 2)));
  EXPECT_FALSE(read.denoising);
  EXPECT_FALSE(read.cache);
}

TEST(read_counters, leaves_out_lines_that_upstream_cannot_read) {
  const server_counters read = read_counters(
      "vllm:spec_decode_num_drafts_total{m=\"a b\"} 1\n"     // a blank in a label
      "vllm:spec_decode_num_drafts_total 2 1700000000000\n"  // a time stamp
      "vllm:spec_decode_num_drafts_total\n"
      "vllm:spec_decode_num_drafts_total NaN\n"
      "vllm:spec_decode_num_drafts_total +Inf\n"
      "#vllm:spec_decode_num_drafts_total 4\n"
      "  vllm:spec_decode_num_drafts_total\t8\r\n"
      "xvllm:spec_decode_num_drafts_total 16\n"
      "vllm:spec_decode_num_drafts 32");
  ASSERT_TRUE(read.speculative);
  EXPECT_EQ(read.speculative->drafts, 8);
}

TEST(read_counters, knows_diffusion_and_the_prefix_cache) {
  const server_counters read = read_counters(
      "vllm:diffusion_num_denoising_steps_total 3\n"
      "vllm:diffusion_num_canvas_positions_total 4\n"
      "vllm:diffusion_num_committed_tokens_total{a=\"b\"} 5\n"
      "vllm:prefix_cache_queries_total{engine=\"0\"} 60.0\n"
      "vllm:prefix_cache_queries_total{engine=\"1\"} 40.0\n"
      "vllm:prefix_cache_hits_total{engine=\"0\"} 58.0\n"
      "vllm:prefix_cache_hits_total{engine=\"1\"} 40.0\n"
      "vllm:external_prefix_cache_queries_total 1000\n"
      "vllm:external_prefix_cache_hits_total 1000\n");
  ASSERT_TRUE(read.denoising && read.cache);
  EXPECT_EQ(read.denoising->steps, 3);
  EXPECT_EQ(read.denoising->positions, 4);
  EXPECT_EQ(read.denoising->committed, 5);
  EXPECT_EQ(read.cache->queries, 100);
  EXPECT_EQ(read.cache->hits, 98);
  EXPECT_FALSE(read.speculative);
}

TEST(read_counters, needs_both_of_the_prefix_cache) {
  EXPECT_FALSE(read_counters("vllm:prefix_cache_queries_total 1\n").cache);
  EXPECT_FALSE(read_counters("vllm:prefix_cache_hits_total 1\n").cache);
  EXPECT_FALSE(read_counters("").cache);
}

server_counters speculation(double drafts, double tokens, double accepted,
                            std::map<std::int64_t, double> at = {}) {
  server_counters out;
  out.speculative = {drafts, tokens, accepted, std::move(at)};
  return out;
}

metrics::context figures(const server_counters& before, const server_counters& after,
                         double duration_s = 2) {
  metrics::context out;
  add_server_figures(before, after, duration_s, out);
  return out;
}

TEST(server_figures, of_speculative_decoding_are_upstream_s) {
  const auto run = figures(speculation(10, 30, 5, {{0, 4}, {1, 1}}),
                           speculation(110, 330, 155, {{0, 84}, {2, 20}}));
  EXPECT_THAT(run.beside, ElementsAre(Pair(metric::spec_decode_acceptance_rate, 50),
                                      Pair(metric::spec_decode_acceptance_length, 2.5),
                                      Pair(metric::spec_decode_num_drafts, 100),
                                      Pair(metric::spec_decode_draft_tokens, 300),
                                      Pair(metric::spec_decode_accepted_tokens, 150)));
  // A position that disappeared did not grow; a new position began at 0.
  EXPECT_EQ(fact_of(run, "spec_decode"), R"({"per_position_acceptance_rates": [0.8, 0.0, 0.2]})");
}

TEST(server_figures, without_drafts_have_no_length_and_no_positions) {
  const auto run = figures(speculation(0, 0, 0), speculation(0, 10, 4, {{0, 4}}));
  EXPECT_EQ(run.beside[1], std::pair(metric::spec_decode_acceptance_length, 0.0));
  EXPECT_EQ(fact_of(run, "spec_decode"), R"({"per_position_acceptance_rates": []})");
}

TEST(server_figures, are_missing_if_counters_restarted_or_did_not_change) {
  EXPECT_THAT(figures(speculation(9, 30, 5), speculation(9, 30, 5)).beside, IsEmpty());
  EXPECT_THAT(figures(speculation(9, 30, 5), speculation(1, 3, 1)).beside, IsEmpty());
  EXPECT_THAT(figures(speculation(9, 30, 5), speculation(1, 33, 6)).beside, IsEmpty());
  EXPECT_THAT(figures(speculation(9, 30, 5), speculation(10, 33, 1)).beside, IsEmpty());
  EXPECT_THAT(figures({}, speculation(9, 30, 5)).beside, IsEmpty());
  EXPECT_THAT(figures(speculation(9, 30, 5), {}).facts, IsEmpty());
}

server_counters diffusion(double steps, double positions, double committed) {
  server_counters out;
  out.denoising = {steps, positions, committed};
  return out;
}

TEST(server_figures, of_diffusion_leave_the_commit_steps_out) {
  // A canvas has 320 / 40 = 8 positions; 32 committed tokens are 4 canvases, so 4 of the
  // 40 steps were commits.
  EXPECT_THAT(figures(diffusion(1, 1, 1), diffusion(41, 321, 33)).beside,
              ElementsAre(Pair(metric::diffusion_committed_throughput, 16),
                          Pair(metric::diffusion_steps_per_canvas, 9),
                          Pair(metric::diffusion_committed_per_step, 32.0 / 36),
                          Pair(metric::diffusion_committed_tokens, 32),
                          Pair(metric::diffusion_denoising_steps, 36),
                          Pair(metric::diffusion_canvas_positions, 320)));
}

TEST(server_figures, of_diffusion_are_missing_if_upstream_divides_by_zero) {
  const server_counters none = diffusion(0, 0, 0);
  EXPECT_THAT(figures(none, diffusion(40, 0, 32)).beside, IsEmpty());
  EXPECT_THAT(figures(none, diffusion(4, 32, 32)).beside, IsEmpty()) << "commit steps only";
  EXPECT_THAT(figures(none, diffusion(0, 320, 32)).beside, IsEmpty());
  EXPECT_THAT(figures(none, diffusion(40, 320, 0)).beside, IsEmpty());
  EXPECT_THAT(figures(none, diffusion(40, 320, 32), 0).beside, IsEmpty());
}

server_counters cache(double queries, double hits) {
  server_counters out;
  out.cache = {queries, hits};
  return out;
}

TEST(cache_gain, is_the_difference_of_queries_and_hits) {
  const auto gained = cache_gain(cache(100, 10), cache(300, 60));
  ASSERT_TRUE(gained);
  EXPECT_EQ(gained->queries, 200);
  EXPECT_EQ(gained->hits, 50);
  ASSERT_TRUE(cache_gain(cache(100, 10), cache(100, 10)));
  EXPECT_EQ(cache_gain(cache(100, 10), cache(100, 10))->queries, 0);
}

TEST(cache_gain, is_missing_if_counters_restarted_or_do_not_exist) {
  EXPECT_FALSE(cache_gain(cache(100, 98), cache(50, 40)));
  EXPECT_FALSE(cache_gain(cache(100, 98), cache(200, 40)));
  EXPECT_FALSE(cache_gain(cache(0, 0), cache(100, 101))) << "more hits than queries";
  EXPECT_FALSE(cache_gain({}, cache(100, 98)));
  EXPECT_FALSE(cache_gain(cache(0, 0), {}));
}

const base::monotonic_clock counters_clock;

TEST(ask_counters, sums_over_the_servers_with_key_and_headers) {
  const auto page_of = [](const char* count) {
    return [count](const asked&) {
      return answered{200, std::string("vllm:spec_decode_num_drafts_total ") + count + "\n"};
    };
  };
  const answering_server one(page_of("3"));
  const answering_server two(page_of("4"));
  config::server server;
  server.base_urls = {one.url(), two.url()};
  server.api_key = "secret";
  server.headers = {{"X-Tenant", "t"}};
  const auto sum = ask_counters(target(server, counters_clock));
  ASSERT_TRUE(sum && sum->speculative);
  EXPECT_EQ(sum->speculative->drafts, 7);
  for (const answering_server* each : {&one, &two}) {
    ASSERT_EQ(each->seen().size(), 1U);
    EXPECT_EQ(each->seen()[0].line, "GET /metrics");
    EXPECT_THAT(each->seen()[0].head, HasSubstr("Authorization: Bearer secret\r\n"));
    EXPECT_THAT(each->seen()[0].head, HasSubstr("X-Tenant: t\r\n"));
  }
}

TEST(ask_counters, returns_nothing_if_it_is_stopped) {
  const transport::test::loopback silent;  // the kernel accepts, but no answer comes
  config::server server;
  server.base_urls = {silent.url(), silent.url()};
  int asked_for_stop = 0;
  EXPECT_FALSE(ask_counters(target(server, counters_clock), [&] { return ++asked_for_stop == 3; }));
  EXPECT_EQ(asked_for_stop, 3) << "the second server is not asked";
}

TEST(ask_counters, has_nothing_unless_every_server_answers) {
  const answering_server good([](const asked&) { return answered{200, page}; });
  const answering_server bad([](const asked&) { return answered{404, page}; });
  const transport::test::loopback closed(false);
  config::server server;
  server.base_urls = {good.url(), bad.url()};
  EXPECT_FALSE(ask_counters(target(server, counters_clock)));
  server.base_urls = {closed.url()};
  EXPECT_FALSE(ask_counters(target(server, counters_clock)));
  server.base_urls = {good.url()};
  EXPECT_TRUE(ask_counters(target(server, counters_clock)));
}

}  // namespace
}  // namespace inferbench::observe

#include "metrics/accumulator.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::failure;
using testing_::success;

double value(const report& r, std::string_view name) {
  const ifb_metric* m = r.find(name);
  EXPECT_NE(m, nullptr) << name;
  return m == nullptr ? -1 : m->value;
}

double quantile(const report& r, std::string_view name, double q) {
  const ifb_metric* m = r.find(name);
  if (m == nullptr) return -1;
  for (std::size_t i = 0; i < m->quantile_count; ++i)
    if (m->quantiles[i].q == q) return m->quantiles[i].value;
  return -2;
}

bool selected(const report& r, std::string_view name) {
  const ifb_metric* m = r.find(name);
  return m != nullptr && (m->flags & IFB_METRIC_SELECTED) != 0;
}

// Three successes and a failure over two seconds:
//   0: start    0, events at 100 110 130 170      ttft 100, e2el 170, 4 tokens
//   1: start   50, events at 250                  ttft 200, e2el 200, 1 token
//   2: start 1000, events at 1300 1400 1600       ttft 300, e2el 600, 6 tokens (packed)
//   3: start 1000, fails at 1500
std::vector<client::record> small_run() {
  return {success({0, 0, 0, {100, 110, 130, 170}, 175, 10, 4}),
          success({1, 40, 50, {250}, 250, 20, 1}),
          success({2, 900, 1000, {1300, 1400, 1600}, 1601, 30, 6}),
          failure({3, 1000, 1000, {1200}, 1500, 40, 0}, IFB_E_IO, 200, "ended early")};
}

report figures_of(const std::vector<client::record>& records, const context& run) {
  accumulator all(run);
  for (const client::record& r : records)
    all.add(r);
  return all.finish(run);
}

context two_seconds() {
  context run;
  run.duration_s = 2;
  run.planned = 4;
  return run;
}

TEST(accumulator, scalars_of_a_small_run_are_as_computed_by_hand) {
  const report r = figures_of(small_run(), two_seconds());
  EXPECT_EQ(value(r, "duration"), 2);
  EXPECT_EQ(value(r, "completed"), 3);
  EXPECT_EQ(value(r, "failed"), 1);
  EXPECT_EQ(value(r, "total_input_tokens"), 60);
  EXPECT_EQ(value(r, "total_output_tokens"), 11);
  EXPECT_EQ(value(r, "request_throughput"), 1.5);
  EXPECT_EQ(value(r, "output_throughput"), 5.5);
  EXPECT_EQ(value(r, "total_token_throughput"), 35.5);
  EXPECT_EQ(value(r, "rtfx"), 0);
  EXPECT_EQ(r.find("request_goodput"), nullptr);
  EXPECT_EQ(r.find("total_input_sequences"), nullptr);
}

TEST(accumulator, summaries_of_a_small_run_are_as_computed_by_hand) {
  context run = two_seconds();
  run.percentiles = {99, 50};
  const report r = figures_of(small_run(), run);
  EXPECT_DOUBLE_EQ(value(r, "ttft"), 200);
  EXPECT_DOUBLE_EQ(quantile(r, "ttft", 0.99), 298);
  EXPECT_DOUBLE_EQ(quantile(r, "ttft", 0.5), 200);
  // 70 ms over 3 gaps and 300 ms over 5 gaps; the answer of one token has no gap.
  EXPECT_EQ(r.find("tpot")->count, 2U);
  EXPECT_DOUBLE_EQ(value(r, "tpot"), (70.0 / 3 + 60) / 2);
  EXPECT_EQ(r.find("itl")->count, 5U);
  EXPECT_DOUBLE_EQ(value(r, "itl"), 74);  // 10 20 40 100 200
  EXPECT_DOUBLE_EQ(r.find("itl")->median, 40);
  EXPECT_EQ(r.find("itl")->minimum, 10);
  EXPECT_EQ(r.find("itl")->maximum, 200);
  EXPECT_DOUBLE_EQ(value(r, "e2el"), 970.0 / 3);
}

TEST(accumulator, events_and_requests_are_counted_in_seconds_after_the_first_start) {
  const report r = figures_of(small_run(), two_seconds());
  EXPECT_EQ(value(r, "max_output_tokens_per_s"), 5);  // 4 and 1; then 3
  EXPECT_EQ(value(r, "max_concurrent_requests"), 2);
  EXPECT_EQ(value(r, "peak_concurrency"), 2);
  EXPECT_DOUBLE_EQ(value(r, "events_per_token"), 8.0 / 11);
}

TEST(accumulator, tokens_of_a_request_are_shared_out_evenly_among_its_events) {
  // Ten tokens: two events in the first second and two in the second. Four tokens: one event in the
  // second second.
  const report r = figures_of(
      {success({0, 0, 0, {100, 200, 1100, 1200}, 0, 3, 10}), success({1, 0, 0, {1300}, 0, 3, 4})},
      two_seconds());
  EXPECT_EQ(value(r, "max_output_tokens_per_s"), 3);
  EXPECT_EQ(value(r, "peak_output_tokens_per_s"), 9);
}

TEST(accumulator, the_order_of_arrival_changes_no_digit) {
  std::vector<client::record> records = small_run();
  for (std::uint64_t i = 4; i < 60; ++i) {
    const double start = static_cast<double>(i) * 31.7;
    records.push_back(success({i,
                               start - 0.3,
                               start,
                               {start + 11.1 + static_cast<double>(i) / 7, start + 44.4},
                               0,
                               3,
                               static_cast<std::int64_t>(i % 7 + 1)}));
  }
  const report in_order = figures_of(records, two_seconds());
  std::ranges::reverse(records);
  const report reversed = figures_of(records, two_seconds());
  ASSERT_EQ(in_order.metrics().size(), reversed.metrics().size());
  for (std::size_t i = 0; i < in_order.metrics().size(); ++i) {
    const ifb_metric& a = in_order.metrics()[i];
    const ifb_metric& b = reversed.metrics()[i];
    EXPECT_EQ(a.value, b.value) << a.name;
    EXPECT_EQ(a.deviation, b.deviation) << a.name;
  }
}

TEST(accumulator, a_run_without_success_has_zeros) {
  const report r =
      figures_of({failure({0, 0, 0, {}, 5}, IFB_E_REMOTE, 503, "busy")}, two_seconds());
  for (const ifb_metric& m : r.metrics()) {
    const std::string name = m.name;
    if (name == "duration" || name == "failed" || name == "peak_concurrency") continue;
    EXPECT_EQ(m.value, 0) << name;
    EXPECT_EQ(m.deviation, 0) << name;
  }
  EXPECT_EQ(value(r, "failed"), 1);
}

TEST(accumulator, a_run_without_records_or_time_divides_by_nothing) {
  const report r = figures_of({}, context{});
  EXPECT_EQ(value(r, "request_throughput"), 0);
  EXPECT_EQ(value(r, "max_concurrent_requests"), 0);
  EXPECT_EQ(value(r, "peak_concurrency"), 0);
}

TEST(accumulator, a_gap_of_days_is_an_ordinary_gap) {
  constexpr double day = 86'400'000;
  const report r = figures_of({success({0, 0, 0, {1, 1 + 3 * day}, 0, 1, 2})}, two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "itl"), 3 * day);
  EXPECT_EQ(value(r, "max_output_tokens_per_s"), 1);
  EXPECT_EQ(value(r, "max_concurrent_requests"), 1);
}

TEST(accumulator, a_success_without_events_has_latency_zero) {
  const report r = figures_of({success({0, 0, 10, {}, 500, 1, 1})}, two_seconds());
  EXPECT_EQ(value(r, "e2el"), 0);
  EXPECT_EQ(r.find("ttft_text")->count, 0U);
}

TEST(accumulator, goodput_counts_requests_that_meet_every_limit) {
  const auto goodput = [](std::vector<std::pair<std::string, double>> limits) {
    context run = two_seconds();
    run.goodput = std::move(limits);
    return value(figures_of(small_run(), run), "request_goodput");
  };
  EXPECT_EQ(goodput({{"ttft", 200}}), 1.0);  // a limit that is just met counts
  EXPECT_EQ(goodput({{"ttft", 199.999}}), 0.5);
  EXPECT_EQ(goodput({{"tpot", 0}}), 0.5);  // an answer of one token has tpot 0
  EXPECT_EQ(goodput({{"ttft", 300}, {"e2el", 170}}), 0.5);
  EXPECT_EQ(goodput({{"ttft", 0}}), 0.0);
}

TEST(accumulator, queue_times_need_a_cap_and_the_sum_needs_a_rate) {
  context run = two_seconds();
  EXPECT_EQ(figures_of(small_run(), run).find("client_queue_time"), nullptr);
  run.max_concurrency = 8;
  run.selected = {"client_queue_time", "e2el_including_client_queue"};
  report r = figures_of(small_run(), run);
  EXPECT_DOUBLE_EQ(value(r, "client_queue_time"), 110.0 / 3);
  EXPECT_TRUE(selected(r, "client_queue_time"));
  EXPECT_EQ(r.find("e2el_including_client_queue"), nullptr);
  run.request_rate = 10;
  r = figures_of(small_run(), run);
  EXPECT_DOUBLE_EQ(value(r, "e2el_including_client_queue"), 1080.0 / 3);
  EXPECT_TRUE(selected(r, "e2el_including_client_queue"));
}

TEST(accumulator, selected_metrics_are_marked) {
  context run = two_seconds();
  run.selected = {"itl", "e2el", "no such metric"};
  report r = figures_of(small_run(), run);
  EXPECT_FALSE(selected(r, "ttft"));
  EXPECT_TRUE(selected(r, "itl"));
  EXPECT_TRUE(selected(r, "e2el"));
  run.tokenizer = false;
  r = figures_of(small_run(), run);
  EXPECT_FALSE(selected(r, "itl"));
  EXPECT_TRUE(selected(r, "e2el"));
  EXPECT_GT(value(r, "itl"), 0);  // computed although it is not selected
}

TEST(accumulator, our_own_latencies_count_from_the_due_time) {
  const report r = figures_of(small_run(), two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "ttft_from_due"), (100.0 + 210 + 400) / 3);
  EXPECT_DOUBLE_EQ(value(r, "e2el_from_due"), (170.0 + 210 + 700) / 3);
  EXPECT_GE(quantile(r, "ttft_from_due", 0.5), 0);
  EXPECT_GE(quantile(r, "ttft_from_due", 0.99), 0);
  EXPECT_EQ(r.find("send_lag")->count, 4U);  // the failure was sent too
  EXPECT_DOUBLE_EQ(value(r, "send_lag"), 110.0 / 4);
  for (const char* name : {"ttft_from_due", "send_lag", "peak_concurrency"})
    EXPECT_EQ(r.find(name)->flags & (IFB_METRIC_UPSTREAM | IFB_METRIC_SELECTED), 0U) << name;
}

TEST(accumulator, ttft_from_due_goes_by_text_and_a_late_first_text_is_warned_of) {
  std::vector<client::record> records = small_run();
  EXPECT_EQ(figures_of(records, two_seconds()).first_text_warning(), "");
  for (client::record& r : records)
    if (r.ok()) r.first_text_ns = r.tokens.front() + 1'000'000'000;
  const report r = figures_of(records, two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "ttft_from_due"), (1100.0 + 1210 + 1400) / 3);
  EXPECT_DOUBLE_EQ(value(r, "ttft_text"), value(r, "ttft") + 1000);
  EXPECT_THAT(r.first_text_warning(),
              testing::HasSubstr("TTFT is not the time of the first text: the server sends an "
                                 "event without text first"));
}

TEST(accumulator, input_tokens_that_no_side_reports_are_warned_of) {
  std::vector<client::record> records = small_run();
  EXPECT_EQ(figures_of(records, two_seconds()).unknown_input_warning(), "");
  for (client::record& r : records)
    r.prompt_tokens = -1;
  EXPECT_THAT(figures_of(records, two_seconds()).unknown_input_warning(),
              testing::HasSubstr("input tokens are not counted"));
  for (client::record& r : records)
    r.status = IFB_E_IO;
  EXPECT_EQ(figures_of(records, two_seconds()).unknown_input_warning(), "");
}

TEST(accumulator, ttft_from_due_of_an_answer_without_text_is_that_of_its_first_token) {
  std::vector<client::record> records = small_run();
  for (client::record& r : records)
    r.first_text_ns = 0;
  const report r = figures_of(records, two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "ttft_from_due"), (100.0 + 210 + 400) / 3);
  EXPECT_EQ(r.first_text_warning(), "");
}

TEST(accumulator, pooling_has_figures_of_its_own) {
  std::vector<client::record> records = {success({0, 0, 0, {}, 30, 100, 0}),
                                         success({1, 0, 10, {}, 60, 50, 0})};
  records[1].attributes = {{"num_input_sequences", "5"}};
  context run = two_seconds();
  run.pooling = true;
  run.selected = {"e2el"};
  run.goodput = {{"e2el", 1}};
  const report r = figures_of(records, run);
  EXPECT_EQ(value(r, "total_input_sequences"), 6);
  EXPECT_EQ(value(r, "input_sequence_throughput"), 3);
  EXPECT_EQ(value(r, "total_token_throughput"), 75);
  EXPECT_DOUBLE_EQ(value(r, "e2el"), 40);
  EXPECT_TRUE(selected(r, "e2el"));
  for (const char* absent : {"ttft", "total_output_tokens", "request_goodput", "rtfx",
                             "max_concurrent_requests", "ttft_from_due"})
    EXPECT_EQ(r.find(absent), nullptr) << absent;
}

TEST(accumulator, durations_of_audio_make_rtfx) {
  std::vector<client::record> records = small_run();
  records[0].attributes = {{"input_audio_duration", "3.5"}};
  records[1].attributes = {{"input_audio_duration", "nan"}};
  records[3].attributes = {{"input_audio_duration", "100"}};  // failed
  EXPECT_EQ(value(figures_of(records, two_seconds()), "rtfx"), 1.75);
}

TEST(accumulator, an_answer_of_one_token_has_no_part_in_tpot) {
  const report r = figures_of({success({0, 0, 0, {5, 9}, 0, 1, 1})}, two_seconds());
  EXPECT_EQ(r.find("tpot")->count, 0U);
  EXPECT_EQ(value(r, "tpot"), 0);
  EXPECT_EQ(quantile(r, "tpot", 0.99), 0);
  EXPECT_DOUBLE_EQ(value(r, "itl"), 4);
}

TEST(accumulator, cached_tokens_are_a_figure_when_they_are_asked_for) {
  std::vector<client::record> records = small_run();
  records[0].cached_tokens = 8;
  records[2].cached_tokens = 0;
  records[3].cached_tokens = 100;  // failed
  context run = two_seconds();
  EXPECT_EQ(figures_of(records, run).find("total_cached_tokens"), nullptr);
  run.cached_tokens = true;
  for (const bool bounded : {false, true}) {
    run.bounded = bounded;
    const report r = figures_of(records, run);
    EXPECT_EQ(value(r, "total_cached_tokens"), 8);
    EXPECT_THAT(std::string(r.facts_json()), testing::HasSubstr("\"cached_tokens_said_by\": 2"));
  }
}

TEST(accumulator, events_are_counted_by_their_content) {
  std::vector<client::record> records = small_run();
  records[0].text_events = {1, 2, 0, 0};
  records[0].first_answer_ns = testing_::at_ms(130);
  records[0].reasoning_tokens = 3;
  records[2].text_events = {0, 0, 2, 1};
  records[3].text_events = {9, 9, 9, 9};  // failed
  const report r = figures_of(records, two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "ttft_answer"), 130);
  EXPECT_EQ(r.find("ttft_answer")->count, 1U);
  const std::string facts(r.facts_json());
  EXPECT_THAT(facts,
              testing::HasSubstr(R"("stream_events": {"all": 8, "answer": 1, "reasoning": 2, )"
                                 R"("tool_call": 2, "other": 1, "without_text": 2})"));
  EXPECT_THAT(facts, testing::HasSubstr(R"("reasoning": {"tokens": 3, "requests": 1})"));
}

TEST(accumulator, figures_from_other_sources_follow_the_order_of_the_table) {
  context run = two_seconds();
  run.beside = {{metric::diffusion_denoising_steps, 5},
                {metric::probe_completed, 1},
                {metric::spec_decode_num_drafts, 3}};
  const report r = figures_of(small_run(), run);
  std::vector<std::size_t> places;
  for (const ifb_metric& m : r.metrics())
    places.push_back(static_cast<std::size_t>(find(m.name)->id));
  EXPECT_TRUE(std::ranges::is_sorted(places));
  EXPECT_EQ(value(r, "diffusion_denoising_steps"), 5);
}

// So the sum over all requests cannot overflow.
TEST(accumulator, more_tokens_than_a_request_can_have_count_as_the_largest_number) {
  const report r = figures_of({success({0, 0, 0, {1, 2}, 0, INT64_MAX, 1LL << 40})}, two_seconds());
  EXPECT_DOUBLE_EQ(value(r, "total_output_tokens"), 4294967295.0);
  EXPECT_GT(value(r, "tpot"), 0);
}

TEST(accumulator, a_request_that_was_never_sent_is_in_no_figure) {
  std::vector<client::record> records = small_run();
  client::record waiting;
  waiting.sequence = 4;
  waiting.status = IFB_E_CANCELLED;
  records.push_back(waiting);
  context run = two_seconds();
  run.planned = 5;
  const report r = figures_of(records, run);
  EXPECT_EQ(value(r, "failed"), 1);
  EXPECT_EQ(value(r, "peak_concurrency"), 2);
  EXPECT_THAT(std::string(r.facts_json()),
              testing::HasSubstr(R"("planned": 5, "sent": 4, "never_sent": 1, "ok": 3)"));
}

TEST(accumulator, facts_have_the_time_of_the_peak_and_the_limits_of_goodput) {
  context run = two_seconds();
  run.goodput = {{"ttft", 200}};
  const std::string facts(figures_of(small_run(), run).facts_json());
  EXPECT_THAT(facts, testing::HasSubstr(R"("peak_concurrency": {"requests": 2, "after_s": 0.05})"));
  EXPECT_THAT(facts, testing::HasSubstr(R"("goodput_limits_ms": {"ttft": 200.0})"));
}

TEST(accumulator, facts_repeat_the_clients_own_observations) {
  context run = two_seconds();
  run.set_fact("client", R"({"verdict": "VALID"})");
  const auto facts = [&] { return std::string(figures_of(small_run(), run).facts_json()); };
  EXPECT_THAT(facts(), testing::EndsWith(R"(, "client": {"verdict": "VALID"}})"));
  run.set_fact("calibration", R"({"streams": 8})");
  EXPECT_THAT(facts(), testing::EndsWith(
                           R"(, "client": {"verdict": "VALID"}, "calibration": {"streams": 8}})"));
}

TEST(accumulator, an_event_costs_five_bytes_at_most_as_long_as_the_run_goes_on) {
  context run;
  accumulator all(run);
  std::vector<double> events;
  constexpr std::uint64_t tokens = 125;
  for (std::uint64_t i = 0; i < tokens; ++i)
    events.push_back(100 + 11.5 * static_cast<double>(i));
  constexpr std::uint64_t requests = 2000;
  for (std::uint64_t i = 0; i < requests; ++i)
    all.add(success({i, 0, 0, events, 0, 10, tokens}));
  EXPECT_LE(all.bytes(), requests * tokens * 5);
}

TEST(accumulator, figures_may_be_asked_for_again_after_more_records) {
  std::vector<client::record> records = small_run();
  accumulator all(two_seconds());
  for (std::size_t i : {2U, 0U})
    all.add(records[i]);
  EXPECT_EQ(all.finish(two_seconds()).find("itl")->count, 5U);
  for (std::size_t i : {3U, 1U})
    all.add(records[i]);
  const report again = all.finish(two_seconds());
  const report whole = figures_of(small_run(), two_seconds());
  for (const ifb_metric& m : whole.metrics()) {
    EXPECT_EQ(again.find(m.name)->value, m.value) << m.name;
    EXPECT_EQ(again.find(m.name)->median, m.median) << m.name;
  }
}

TEST(accumulator, places_of_the_schedule_may_be_far_apart_or_taken_twice) {
  const report whole = figures_of(small_run(), two_seconds());
  for (const std::uint64_t place : {std::uint64_t{1}, std::uint64_t{7}, UINT64_MAX}) {
    std::vector<client::record> records = small_run();
    records[0].sequence = place;
    const report found = figures_of(records, two_seconds());
    for (const ifb_metric& m : whole.metrics()) {
      EXPECT_DOUBLE_EQ(found.find(m.name)->value, m.value) << m.name;
      EXPECT_EQ(found.find(m.name)->count, m.count) << m.name;
    }
  }
}

TEST(accumulator, a_snapshot_has_the_figures_so_far) {
  accumulator all(two_seconds());
  EXPECT_EQ(value(all.snapshot(0), "ttft"), 0);
  for (const client::record& r : small_run())
    all.add(r);
  const report now = all.snapshot(4);
  EXPECT_EQ(value(now, "completed"), 3);
  EXPECT_EQ(value(now, "failed"), 1);
  EXPECT_EQ(value(now, "request_throughput"), 0.75);
  EXPECT_DOUBLE_EQ(value(now, "ttft"), 200);
  EXPECT_EQ(now.find("ttft")->flags & IFB_METRIC_SUMMARY, 0U);
}

TEST(accumulator, finishing_again_takes_later_records_in) {
  accumulator all(two_seconds());
  const auto records = small_run();
  all.add(records[2]);
  EXPECT_EQ(value(all.finish(two_seconds()), "completed"), 1);
  all.add(records[0]);
  EXPECT_EQ(value(all.finish(two_seconds()), "completed"), 2);
}

TEST(report, moving_it_leaves_its_views_good) {
  report first = figures_of(small_run(), two_seconds());
  const ifb_quantile* before = first.find("ttft")->quantiles;
  const report second = std::move(first);
  EXPECT_EQ(second.find("ttft")->quantiles, before);
  const ifb_summary s = second.summary(7, true);
  EXPECT_EQ(s.flags, std::uint32_t{IFB_SUMMARY_INTERRUPTED});
  EXPECT_EQ(s.metric_count, second.metrics().size());
  EXPECT_EQ(s.metric_stride, sizeof(ifb_metric));
}

}  // namespace
}  // namespace inferbench::metrics

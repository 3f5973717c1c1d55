#include "experiment/sweep_progress.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::experiment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class progress_clock final : public base::clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override { return time; }
  void pass_seconds(std::uint64_t count) { time += count * base::ns_per_s; }
  std::uint64_t time = 5 * base::ns_per_s;
};

ifb::json_document progress_result(const std::string& json) {
  ifb::json_document out;
  EXPECT_FALSE(ifb::parse_json(json, out)) << json;
  return out;
}

class progress_box {
 public:
  explicit progress_box(bool redrawn)
      : progress(clock, redrawn, [this](const std::string& line) { lines.push_back(line); }) {}

  progress_clock clock;
  std::vector<std::string> lines;
  sweep_progress progress;
};

constexpr sweep_position no_level(std::size_t combination, int run) {
  return {combination, 12, {}, run, 3};
}

TEST(sweep_progress, is_a_line_at_the_end_of_each_run_without_a_terminal) {
  progress_box box(false);
  box.progress.set_left(36);
  box.progress.begin(no_level(1, 1));
  box.clock.pass_seconds(2);
  box.progress.tick();
  EXPECT_THAT(box.lines, IsEmpty());
  const auto result = progress_result(
      R"({"request_throughput": 12.34, "median_ttft_ms": 45.06, "p99_tpot_ms": 20})");
  box.clock.pass_seconds(2);
  box.progress.end(&result);
  EXPECT_THAT(box.lines,
              ElementsAre("combination 1 of 12, run 1 of 3, 00:02:20 left; last: 12.3 req/s, "
                          "median TTFT 45.1 ms, p99 TPOT 20 ms"));
}

TEST(sweep_progress, is_redrawn_on_a_terminal_once_a_second) {
  progress_box box(true);
  box.progress.set_left(3);
  box.progress.begin(no_level(1, 1));
  box.progress.tick();
  box.clock.pass_seconds(1);
  box.progress.tick();
  box.progress.tick();
  EXPECT_THAT(box.lines,
              ElementsAre("combination 1 of 12, run 1 of 3", "combination 1 of 12, run 1 of 3"));
}

TEST(sweep_progress, counts_the_time_left_down_during_a_run) {
  progress_box box(true);
  box.progress.set_left(3);
  box.progress.begin(no_level(1, 1));
  box.clock.pass_seconds(10);
  box.progress.end(nullptr);
  box.progress.begin(no_level(1, 2));
  box.clock.pass_seconds(4);
  EXPECT_EQ(box.progress.line(), "combination 1 of 12, run 2 of 3, 00:00:16 left");
  box.clock.pass_seconds(100);
  EXPECT_EQ(box.progress.line(), "combination 1 of 12, run 2 of 3, 00:00:10 left");
}

TEST(sweep_progress, has_no_time_left_if_the_number_of_runs_is_not_known) {
  progress_box box(false);
  box.progress.set_left(std::nullopt);
  box.progress.begin({2, 4, "request_rate=16", 1, 3});
  box.clock.pass_seconds(10);
  box.progress.end(nullptr);
  EXPECT_THAT(box.lines, ElementsAre("combination 2 of 4, request_rate=16, run 1 of 3"));
}

TEST(sweep_progress, survives_more_runs_than_were_announced) {
  progress_box box(false);
  box.progress.set_left(0);
  box.progress.begin(no_level(1, 0));
  box.clock.pass_seconds(10);
  box.progress.end(nullptr);
  EXPECT_THAT(box.lines, ElementsAre("combination 1 of 12, warm-up, 00:00:00 left"));
}

TEST(sweep_progress, keeps_the_figures_of_the_last_run_that_had_some) {
  progress_box box(false);
  const auto result = progress_result(R"({"request_throughput": 2660.4})");
  box.progress.begin(no_level(1, 1));
  box.progress.end(&result);
  box.progress.begin(no_level(1, 2));
  box.progress.end(nullptr);
  EXPECT_EQ(box.lines.back(), "combination 1 of 12, run 2 of 3; last: 2660 req/s");
}

TEST(figures_text, leaves_out_what_is_no_number) {
  EXPECT_EQ(figures_text(progress_result(
                R"({"request_throughput": "inf", "median_ttft_ms": null, "p99_tpot_ms": 0.5})")),
            "p99 TPOT 0.5 ms");
  EXPECT_EQ(figures_text(progress_result("{}")), "");
}

TEST(figures_text, has_the_means_of_starts) {
  EXPECT_EQ(figures_text(progress_result(
                R"({"avg_cold_startup_time": 12.345, "avg_warm_startup_time": 3})")),
            "mean cold start 12.3 s, mean warm start 3 s");
}

TEST(figures_text, says_that_no_request_was_completed) {
  EXPECT_EQ(figures_text(progress_result(R"({"completed": 0, "median_ttft_ms": 0})")),
            "no request completed");
}

}  // namespace
}  // namespace inferbench::experiment

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/sweep/levels.hpp"
#include "support/golden.hpp"
#include "sweep/sla_search.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A server whose figure "value" is the level, except for the levels in `noisy`: at each visit the
/// first value that is left. The figures of level 65536 give the first level of the search.
struct binary_trial {
  explicit binary_trial(const std::string& criterion, double first_level)
      : sets(parse_sla_sets(R"([{"value": ")" + criterion + R"("}])", "sla.json")),
        throughput(first_level) {}

  sla_outcome search() {
    return search_binary({.variable = "request_rate",
                          .criteria = &sets.at(0),
                          .run = [this](std::int64_t level) { return run(level); },
                          .known = {},
                          .tell = lines.tell()});
  }

  level_runs run(std::int64_t level) {
    lines.ran("request_rate=" + std::to_string(level));
    visited.push_back(level);
    double value = static_cast<double>(level);
    if (auto& left = noisy[level]; !left.empty()) {
      value = left.front();
      left.erase(left.begin());
    }
    return made_of({R"({"request_throughput": )" + std::to_string(throughput) +
                    R"(, "mean_e2el_ms": 500, "value": )" + std::to_string(value) + "}"});
  }

  std::vector<sla_set> sets;
  double throughput;
  std::map<std::int64_t, std::vector<double>> noisy;
  std::vector<std::int64_t> visited;
  printed_lines lines;
};

TEST(sla_binary, the_level_doubles_until_it_fails) {
  binary_trial trial("<=32", 1);
  (void)trial.search();
  EXPECT_THAT(std::vector(trial.visited.begin(), trial.visited.begin() + 8),
              ElementsAre(65536, 1, 2, 4, 8, 16, 32, 64));
  EXPECT_EQ(trial.lines.count("Range of request_rate to search: [32, 64] req/s."), 1U);
}

TEST(sla_binary, a_strict_criterion_fails_at_its_limit) {
  binary_trial trial("<32", 1);
  (void)trial.search();
  EXPECT_THAT(std::vector(trial.visited.begin(), trial.visited.begin() + 7),
              ElementsAre(65536, 1, 2, 4, 8, 16, 32));
  EXPECT_EQ(trial.lines.count("Range of request_rate to search: [16, 32] req/s."), 1U);
}

TEST(sla_binary, the_range_begins_at_zero_if_the_first_level_fails) {
  binary_trial trial("<=32", 64);
  const auto found = trial.search();
  EXPECT_EQ(trial.lines.count("Range of request_rate to search: [0, 64] req/s."), 1U);
  EXPECT_EQ(found.largest, 32);
}

TEST(sla_binary, the_range_is_halved_and_its_lower_end_tested) {
  binary_trial trial("<=50", 32);
  const auto found = trial.search();
  EXPECT_THAT(trial.visited, ElementsAre(65536, 32, 64, 48, 56, 52, 50, 51));
  EXPECT_EQ(found.largest, 50);
  EXPECT_EQ(found.runs.size(), 8U);
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/sla_binary.txt");
}

TEST(sla_binary, a_strict_limit_is_not_reached) {
  binary_trial trial("<50", 32);
  EXPECT_EQ(trial.search().largest, 49);
  EXPECT_THAT(trial.visited, ElementsAre(65536, 32, 64, 48, 56, 52, 50, 49));
}

// 64 passed when the bounds were sought, and fails when it is tested again.
TEST(sla_binary, a_lower_end_that_fails_later_is_still_the_answer) {
  binary_trial trial("<=50", 64);
  trial.noisy[64] = {40};
  const auto found = trial.search();
  EXPECT_THAT(trial.visited, ElementsAre(65536, 64, 128, 96, 80, 72, 68, 66, 65, 64));
  EXPECT_EQ(found.largest, 64);
}

TEST(sla_binary, a_level_that_is_visited_twice_has_its_runs_twice) {
  binary_trial trial("<=32", 32);
  const auto found = trial.search();
  EXPECT_THAT(trial.visited, ElementsAre(65536, 32, 64, 48, 40, 36, 34, 33, 32));
  EXPECT_EQ(found.runs.size(), trial.visited.size());
  EXPECT_EQ(found.largest, 32);
}

TEST(sla_binary, the_first_level_is_the_carried_load_rounded_up) {
  binary_trial trial("<=50", 31.25);
  (void)trial.search();
  EXPECT_EQ(trial.visited.at(1), 32);
  EXPECT_EQ(trial.lines.count("Initial request_rate to search: 32 req/s."), 1U);
}

TEST(sla_binary, a_criterion_that_always_holds_is_sought_up_to_65536) {
  binary_trial trial("<inf", 1);
  const auto found = trial.search();
  EXPECT_EQ(trial.lines.count("Range of request_rate to search: [32768, 65536] req/s."), 1U);
  EXPECT_EQ(found.largest, 65535);
  EXPECT_EQ(trial.lines.count("Level 65536 was tested and satisfies the criteria, too; the search "
                              "answers 65535, as upstream's does, and the true maximum may be "
                              "higher."),
            1U);
  EXPECT_THAT(trial.lines.text, Not(HasSubstr("tests no higher level")));
}

TEST(sla_binary, an_answer_below_a_level_that_fails_is_not_doubted) {
  binary_trial trial("<=65535", 1);
  EXPECT_EQ(trial.search().largest, 65535);
  EXPECT_THAT(trial.lines.text, Not(HasSubstr("may be higher")));
}

TEST(sla_binary, a_first_level_above_65536_is_the_answer_if_it_passes) {
  binary_trial trial("<inf", 70000);
  EXPECT_EQ(trial.search().largest, 70000);
  EXPECT_THAT(trial.lines.text, HasSubstr("The search tests no higher level"));
  EXPECT_THAT(trial.visited, ElementsAre(65536, 70000, 70000));
}

TEST(sla_binary, level_zero_is_not_run_but_said) {
  binary_trial trial("<=0", 2);
  const auto found = trial.search();
  EXPECT_TRUE(found.made);
  EXPECT_FALSE(found.largest);
  EXPECT_THAT(trial.visited, ElementsAre(65536, 2, 1));
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/sla_binary_none.txt");
}

TEST(sla_binary, a_server_that_carries_nothing_is_an_error) {
  binary_trial trial("<=50", 0);
  try {
    (void)trial.search();
    FAIL();
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), HasSubstr("carried no load at request_rate=65536"));
  }
}

TEST(sla_binary, a_dry_run_stops_after_the_first_level) {
  binary_trial trial("<=50", 32);
  const auto found = search_binary({.variable = "max_concurrency",
                                    .criteria = &trial.sets.at(0),
                                    .run = [&](std::int64_t level) -> level_runs {
                                      trial.lines.ran("max_concurrency=" + std::to_string(level));
                                      return {};
                                    },
                                    .known = {},
                                    .tell = trial.lines.tell()});
  EXPECT_FALSE(found.made);
  EXPECT_TRUE(found.runs.empty());
  EXPECT_EQ(trial.lines.text,
            "[SLA START]\nSLA criteria: value<=50.00\n    (runs max_concurrency=65536)\n"
            "Omitting SLA search.\n[SLA END]\n");
}

TEST(sla_binary, a_combination_that_is_left_out_stops_silently) {
  binary_trial trial("<=50", 32);
  const auto found = search_binary({.variable = "request_rate",
                                    .criteria = &trial.sets.at(0),
                                    .run = [](std::int64_t) -> level_runs {
                                      return {.made = false, .left_out = true, .runs = {}};
                                    },
                                    .known = {},
                                    .tell = trial.lines.tell()});
  EXPECT_FALSE(found.made);
  EXPECT_EQ(trial.lines.text, "[SLA START]\nSLA criteria: value<=50.00\n");
}

TEST(sla_binary, a_level_without_a_result_is_an_error) {
  binary_trial trial("<=50", 32);
  EXPECT_THROW((void)search_binary({.variable = "request_rate",
                                    .criteria = &trial.sets.at(0),
                                    .run = [](std::int64_t) { return made_of({}); },
                                    .known = {},
                                    .tell = trial.lines.tell()}),
               base::error);
}

}  // namespace
}  // namespace inferbench::sweep

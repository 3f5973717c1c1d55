#include <algorithm>
#include <cmath>
#include <functional>

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

/// A server whose figure "value" is a function of the level.
struct spline_trial {
  explicit spline_trial(
      const std::string& criterion, std::function<std::string(std::int64_t)> figure =
                                        [](std::int64_t level) { return std::to_string(level); })
      : sets(parse_sla_sets(R"([{"value": ")" + criterion + R"("}])", "sla.json")),
        value(std::move(figure)) {}

  sla_outcome search() {
    return search_spline({.variable = "request_rate",
                          .criteria = &sets.at(0),
                          .run = [this](std::int64_t level) { return run(level); },
                          .known = known,
                          .tell = lines.tell()});
  }

  level_runs run(std::int64_t level) {
    // A search that never ends must not hang the test.
    if (visited.size() > 100) throw std::runtime_error("the search does not end");
    lines.ran("request_rate=" + std::to_string(level));
    visited.push_back(level);
    return made_of({result(level)});
  }

  std::string result(std::int64_t level) const { return R"({"value": )" + value(level) + "}"; }
  void know(std::int64_t level) { known[level] = made_of({result(level)}).runs; }

  std::vector<sla_set> sets;
  std::function<std::string(std::int64_t)> value;
  std::map<std::int64_t, std::vector<run_object>> known;
  std::vector<std::int64_t> visited;
  printed_lines lines;
};

TEST(sla_spline, the_root_and_the_level_above_it_are_tested) {
  spline_trial trial("<=50");
  const auto found = trial.search();
  EXPECT_THAT(trial.visited, ElementsAre(8192, 1, 50, 51));
  EXPECT_EQ(found.largest, 50);
  EXPECT_EQ(found.runs.size(), 4U);
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/sla_spline.txt");
}

TEST(sla_spline, a_strict_limit_is_not_reached) {
  spline_trial trial("<50");
  EXPECT_EQ(trial.search().largest, 49);
  EXPECT_THAT(trial.visited, ElementsAre(8192, 1, 49, 50));
}

TEST(sla_spline, a_criterion_that_always_holds_ends_after_one_level) {
  spline_trial trial("<=9000");
  EXPECT_EQ(trial.search().largest, 8192);
  EXPECT_THAT(trial.visited, ElementsAre(8192));
}

TEST(sla_spline, no_value_satisfies_the_criteria_if_level_1_fails) {
  spline_trial trial("<=0.5");
  const auto found = trial.search();
  EXPECT_TRUE(found.made);
  EXPECT_FALSE(found.largest);
  EXPECT_THAT(trial.visited, ElementsAre(8192, 1));
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/sla_spline_none.txt");
}

TEST(sla_spline, levels_that_are_known_are_validated_and_not_run) {
  spline_trial trial("<=50");
  for (const std::int64_t level : {1, 40, 60, 8192})
    trial.know(level);
  const auto found = trial.search();
  EXPECT_THAT(trial.visited, ElementsAre(50, 51));
  EXPECT_EQ(found.largest, 50);
  EXPECT_EQ(found.runs.size(), 2U);
  support::expect_golden(trial.lines.text, INFERBENCH_FIXTURES "/sweep/sla_spline_known.txt");
}

TEST(sla_spline, the_ends_are_tested_if_only_levels_between_them_are_known) {
  spline_trial trial("<=50");
  trial.know(40);
  EXPECT_EQ(trial.search().largest, 50);
  EXPECT_THAT(std::vector(trial.visited.begin(), trial.visited.begin() + 2), ElementsAre(8192, 1));
}

TEST(sla_spline, known_levels_alone_can_be_the_answer) {
  spline_trial trial("<=50");
  trial.know(50);
  trial.know(51);
  const auto found = trial.search();
  EXPECT_TRUE(trial.visited.empty());
  EXPECT_TRUE(found.made);
  EXPECT_EQ(found.largest, 50);
  EXPECT_TRUE(found.runs.empty());
}

TEST(sla_spline, level_1_is_tested_before_it_is_the_answer) {
  spline_trial trial("<=1.5");
  trial.know(2);
  EXPECT_EQ(trial.search().largest, 1);
  EXPECT_THAT(trial.visited, ElementsAre(1));
  spline_trial none("<=0.5");
  none.know(2);
  EXPECT_FALSE(none.search().largest);
}

TEST(sla_spline, known_levels_below_1_and_without_runs_do_not_count) {
  spline_trial trial("<=50");
  trial.know(0);
  trial.known[20] = {};
  EXPECT_EQ(trial.search().largest, 50);
  EXPECT_THAT(trial.visited, ElementsAre(8192, 1, 50, 51));
}

TEST(sla_spline, a_curve_is_followed_to_its_root) {
  // Latency of a queue: 10 ms / (1 - level / 1000), endless above.
  spline_trial trial("<=40", [](std::int64_t level) {
    return level < 1000 ? std::to_string(10 / (1 - static_cast<double>(level) / 1000))
                        : std::string("100000");
  });
  EXPECT_EQ(trial.search().largest, 750);
}

TEST(sla_spline, every_limit_of_a_rising_figure_is_found) {
  for (std::int64_t limit = 1; limit < 8192; limit = limit * 3 / 2 + 1) {
    for (const double power : {0.3, 1.0, 2.5}) {
      spline_trial trial("<=" + std::to_string(std::pow(static_cast<double>(limit) + 0.5, power)),
                         [power](std::int64_t level) {
                           return std::to_string(std::pow(static_cast<double>(level), power));
                         });
      EXPECT_EQ(trial.search().largest, limit) << power;
    }
  }
}

TEST(sla_spline, a_figure_with_steps_is_found) {
  spline_trial trial("<=3", [](std::int64_t level) { return std::to_string((level + 99) / 100); });
  EXPECT_EQ(trial.search().largest, 300);
}

// With a margin of 0 at neighbouring levels the root and the level above it are both known.
TEST(sla_spline, a_margin_of_zero_at_many_levels_does_not_stop_the_search) {
  spline_trial trial("<=5", [](std::int64_t level) { return level <= 700 ? "5" : "6"; });
  EXPECT_EQ(trial.search().largest, 700);
}

TEST(sla_spline, infinite_figures_are_halved) {
  spline_trial trial("<=50", [](std::int64_t level) {
    return level <= 1234 ? std::string("10") : std::string(R"("inf")");
  });
  EXPECT_EQ(trial.search().largest, 1234);
  EXPECT_THAT(std::vector(trial.visited.begin(), trial.visited.begin() + 3),
              ElementsAre(8192, 1, 4096));
}

TEST(sla_spline, figures_that_are_no_number_fail) {
  spline_trial trial("<=50", [](std::int64_t level) {
    return level <= 77 ? std::string("10") : std::string(R"("nan")");
  });
  EXPECT_EQ(trial.search().largest, 77);
}

TEST(sla_spline, noise_does_not_stop_the_search) {
  // Passes at 2000 although lower levels fail: no level is left between the two.
  spline_trial trial("<=50",
                     [](std::int64_t level) { return std::to_string(level == 2000 ? 1 : level); });
  trial.know(2000);
  const auto found = trial.search();
  EXPECT_TRUE(found.made);
  EXPECT_EQ(found.largest, 2000);
}

TEST(sla_spline, the_worst_of_two_criteria_decides) {
  spline_trial trial("<=50");
  trial.sets = parse_sla_sets(R"([{"value": "<=50", "other": ">=4"}])", "sla.json");
  const auto found =
      search_spline({.variable = "max_concurrency",
                     .criteria = &trial.sets.at(0),
                     .run =
                         [](std::int64_t level) {
                           return made_of({R"({"value": )" + std::to_string(level) +
                                           R"(, "other": )" + std::to_string(24 - level) + "}"});
                         },
                     .known = {},
                     .tell = trial.lines.tell()});
  EXPECT_EQ(found.largest, 20);
}

TEST(sla_spline, a_dry_run_stops_after_the_first_level) {
  spline_trial trial("<=50");
  const auto found = search_spline({.variable = "request_rate",
                                    .criteria = &trial.sets.at(0),
                                    .run = [](std::int64_t) { return level_runs{}; },
                                    .known = {},
                                    .tell = trial.lines.tell()});
  EXPECT_FALSE(found.made);
  EXPECT_FALSE(found.largest);
  EXPECT_EQ(trial.lines.text,
            "[SLA START]\nSLA criteria: value<=50.00\nTesting request_rate: 8192 req/s\n"
            "Omitting SLA search.\n[SLA END]\n");
}

TEST(sla_spline, a_combination_that_is_left_out_stops_silently) {
  spline_trial trial("<=50");
  const auto found = search_spline({.variable = "request_rate",
                                    .criteria = &trial.sets.at(0),
                                    .run = [](std::int64_t) -> level_runs {
                                      return {.made = false, .left_out = true, .runs = {}};
                                    },
                                    .known = {},
                                    .tell = trial.lines.tell()});
  EXPECT_FALSE(found.made);
  EXPECT_THAT(trial.lines.text, testing::Not(HasSubstr("Omitting")));
}

TEST(sla_spline, a_result_without_the_field_is_an_error) {
  spline_trial trial("<=50");
  EXPECT_THROW((void)search_spline({.variable = "request_rate",
                                    .criteria = &trial.sets.at(0),
                                    .run = [](std::int64_t) { return made_of({"{}"}); },
                                    .known = {},
                                    .tell = trial.lines.tell()}),
               base::error);
}

TEST(sla_spline, a_level_without_a_completed_request_does_not_pass) {
  spline_trial trial("<=50", [](std::int64_t level) {
    return level <= 77 ? std::string("10, \"completed\": 5") : std::string("0, \"completed\": 0");
  });
  EXPECT_EQ(trial.search().largest, 77);
}

TEST(sla_spline, an_answer_at_the_top_may_be_too_small) {
  spline_trial trial("<=9000");
  (void)trial.search();
  EXPECT_EQ(
      trial.lines.count("The search tests no higher level, so the true maximum may be higher."),
      1U);
  spline_trial lower("<=50");
  (void)lower.search();
  EXPECT_THAT(lower.lines.text, Not(HasSubstr("may be higher")));
}

TEST(sla_spline, an_answer_above_the_number_of_requests_is_named) {
  const auto lines_of = [](const std::string& variable, std::int64_t requests) {
    spline_trial trial("<=50");
    (void)search_spline({.variable = variable,
                         .criteria = &trial.sets.at(0),
                         .run = [&](std::int64_t level) { return trial.run(level); },
                         .known = {},
                         .requests = requests,
                         .tell = trial.lines.tell()});
    return trial.lines.text;
  };
  EXPECT_THAT(
      lines_of("max_concurrency", 49),
      HasSubstr("Maximum max_concurrency for SLA: 50 req/s.\nThe benchmark has 49 requests, "
                "so all levels above are the same test"));
  EXPECT_THAT(lines_of("max_concurrency", 50), Not(HasSubstr("same test")));
  EXPECT_THAT(lines_of("request_rate", 49), Not(HasSubstr("same test")));
}

}  // namespace
}  // namespace inferbench::sweep

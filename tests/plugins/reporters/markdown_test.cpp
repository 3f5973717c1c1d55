// Tests the reporter `markdown`: the report of one run, and several runs side by side.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "judged_run.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class markdown_file : public testing::Test {
 protected:
  std::string report(const input& in, std::vector<setting> more = {}) {
    more.push_back({"file", file()});
    const outcome o = report_with("markdown", more, in);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
    EXPECT_THAT(o.artifacts, ElementsAre(Pair("markdown", file())));
    return base::read_file(file());
  }
  std::string file() const { return files_.path("r.md"); }

  support::temporary_folder files_;
};

TEST_F(markdown_file, a_run_with_goals_bounds_and_errors) {
  expect_golden(report(judged_run()), "judged.md");
}

TEST_F(markdown_file, a_pooling_run_that_had_no_goals) {
  expect_golden(report(pooling_run(), {{"title", std::string("Nightly | *e5*")}}), "pooling.md");
}

TEST_F(markdown_file, texts_of_server_and_user_have_no_marks) {
  input in = hostile_run();
  for (auto& r : in.records)
    if (r.status != IFB_OK) r.error = "| `x` <img src=x> [a](http://b) @team #1 *b*\n## c";
  const std::string text = report(in);
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("\n## c")));
  EXPECT_THAT(text, HasSubstr("&#124; &#96;x&#96; &#60;img src=x> &#91;a&#93;(http&#58;//b) "
                              "&#64;team &#35;1 &#42;b&#42; &#35;&#35; c"));
}

TEST_F(markdown_file, a_run_without_successes_says_so) {
  EXPECT_THAT(report(hopeless_run()), HasSubstr("No request succeeded"));
  input in = plain_run();
  in.records.clear();
  EXPECT_THAT(report(in), HasSubstr("0 requests succeeded"));
}

TEST_F(markdown_file, several_runs_have_ratios_and_what_differs_but_no_winner) {
  input first = plain_run();
  first.plan = R"("load": {"request-rate": 1.0, "seed": 0}, )";
  input second = closed_run();
  second.plan = R"("load": {"request-rate": 2.0, "seed": 0}, )";
  second.name = "run-2";
  const outcome o = report_table_with(
      "markdown", {{"file", file()}},
      {{first, "base", "a.journal", "2"}, {second, "new | one", "b.journal", "4"}});
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  const std::string text = base::read_file(file());
  expect_golden(text, "compared.md");
  EXPECT_THAT(text, HasSubstr("load.request-rate"));
  EXPECT_THAT(text, Not(HasSubstr("load.seed")));
}

TEST_F(markdown_file, a_sweep_has_a_row_for_each_combination) {
  const auto run = [](double duration_s) {
    input out = plain_run();
    out.run.duration_s = duration_s;
    return out;
  };
  const outcome o = report_table_with("markdown", {{"file", file()}},
                                      {{run(1), "small, run=0", "a/run=0.json", "1", "small | *x*"},
                                       {run(2), "small, run=1", "a/run=1.json", "1", "small | *x*"},
                                       {run(3), "large, run=0", "b/run=0.json", "4", "large"}});
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  const std::string text = base::read_file(file());
  expect_golden(text, "combinations.md");
  EXPECT_THAT(text, HasSubstr("## 2 combinations, 3 runs"));
  EXPECT_THAT(text, HasSubstr("\n| small &#124; &#42;x&#42; | 1 | 2 | 15.00 ± 2.00 |"));
  EXPECT_THAT(text, HasSubstr("\n| large | 4 | 1 | 15.00 |"));
  EXPECT_THAT(text, HasSubstr("<details><summary>Each run</summary>"));
}

TEST_F(markdown_file, a_goal_that_is_not_certain_fails_if_the_user_demands_certainty) {
  input in = judged_run();
  in.resolved.insert(1, R"("thresholds_certain": true, )");
  EXPECT_THAT(report(in), HasSubstr("<code>output_throughput>=5</code> | **failed** | no, and "
                                    "--threshold-certain is given: one value"));
}

TEST_F(markdown_file, requests_that_a_journal_lost_are_named) {
  input in = plain_run();
  in.run.broken_off = true;
  in.run.planned = 400;
  EXPECT_THAT(report(in),
              HasSubstr("**The journal has no end: of 400 planned requests 3 are known; it is not "
                        "recorded whether the other 397 were sent.**"));
}

TEST_F(markdown_file, a_place_that_cannot_be_written_is_an_error_before_the_run) {
  EXPECT_THAT(
      [&] { (void)report_with("markdown", {{"file", files_.path("missing/r.md")}}, plain_run()); },
      testing::ThrowsMessage<base::error>(HasSubstr("there is no folder")));
}

}  // namespace
}  // namespace inferbench::reporters_test

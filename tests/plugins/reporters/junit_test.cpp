// Tests the reporter `junit`: its test cases, and that texts of servers stay texts.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class junit_file : public testing::Test {
 protected:
  std::string report(const input& in, std::vector<setting> more = {}) {
    more.push_back({"file", file()});
    const outcome o = report_with("junit", more, in);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
    EXPECT_THAT(o.artifacts, ElementsAre(Pair("junit", file())));
    return base::read_file(file());
  }
  std::string file() const { return files_.path("r.xml"); }

  support::temporary_folder files_;
};

TEST_F(junit_file, goals_failures_and_the_verdict_are_cases_with_their_numbers) {
  const std::string xml = report(judged_run());
  expect_golden(xml, "judged.xml");
  EXPECT_THAT(xml, HasSubstr("p99 is 296.9925 ms, goal &lt; 200 ms (n = 4, effective n = 3)"));
}

TEST_F(junit_file, without_goals_the_cases_are_the_end_the_requests_and_the_client) {
  const std::string xml = report(plain_run());
  EXPECT_THAT(xml, HasSubstr(R"(<testsuites name="inferbench" tests="3" failures="0" errors="0" )"
                             R"(skipped="1" time="1.750">)"));
  EXPECT_THAT(xml, HasSubstr("the run has no verdict on the client"));
  EXPECT_THAT(xml, Not(HasSubstr("inferbench.goals")));
}

TEST_F(junit_file, a_goal_about_failed_requests_decides_whether_failures_count) {
  input in = strained_run();
  in.run.set_fact("thresholds",
                  R"([{"goal": "failed<=80%", "figure": "failed", "statistic": "value",
                       "relation": "<=", "limit": 80.0, "unit": "%", "value": 75.0,
                       "passed": true, "certain": false, "count": 16, "effective_count": 16,
                       "reason": null}])");
  in.interrupted = false;
  const std::string xml = report(in);
  EXPECT_THAT(xml, HasSubstr(R"(failures="0" errors="0")"));
  EXPECT_THAT(xml, HasSubstr("12 of 16 (75%) requests failed"));
}

TEST_F(junit_file, a_goal_that_is_not_certain_fails_only_if_the_user_wants_certainty) {
  input in = judged_run();
  const std::string goal = R"(<failure type="not certain" message="output_throughput is 7.42)";
  EXPECT_THAT(report(in), Not(HasSubstr(goal)));
  in.resolved.insert(1, R"("thresholds_certain": true, )");
  const std::string demanded = report(in);
  EXPECT_THAT(demanded, HasSubstr(goal));
  EXPECT_THAT(demanded, HasSubstr("; not certain, and --threshold-certain is given: one value"));
}

TEST_F(junit_file, requests_that_a_journal_lost_are_not_called_unsent) {
  input in = strained_run();
  in.run.broken_off = true;
  in.run.planned = 400;
  EXPECT_THAT(report(in), HasSubstr("the journal has no end: of 400 planned requests "));
  EXPECT_THAT(report(in), HasSubstr("it is not recorded whether the other "));
  in.run.set_fact("journal_damage", R"({"places": 1, "bytes_dropped": 9, "records_read": 16})");
  EXPECT_THAT(report(in), HasSubstr("the journal is damaged: of 400 planned requests "));
  EXPECT_THAT(report(in), Not(HasSubstr("planned requests were sent")));
}

TEST_F(junit_file, a_run_that_was_stopped_is_an_error) {
  const std::string xml = report(strained_run());
  EXPECT_THAT(xml, HasSubstr(R"(<error type="interrupted")"));
}

TEST_F(junit_file, a_run_without_requests_or_without_successes_fails) {
  input in = plain_run();
  in.records.clear();
  in.run.planned = 0;
  EXPECT_THAT(report(in), HasSubstr("no request was sent"));
  EXPECT_THAT(report(hopeless_run()), HasSubstr("1 of 1 (100%) requests failed"));
}

TEST_F(junit_file, the_user_names_the_suite) {
  EXPECT_THAT(report(plain_run(), {{"suite", std::string("a \"b\" <c>\x01")}}),
              HasSubstr("name=\"a &quot;b&quot; &lt;c&gt;\xEF\xBF\xBD\""));
}

}  // namespace
}  // namespace inferbench::reporters_test

// Reports from journals of runs against the simulator, also from damaged journals.
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "program/cli/serve_runs.hpp"

namespace inferbench::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(serve, a_journal_yields_the_same_result_again) {
  const folder where;
  const folder again;
  simulator server({"--ttft", "2ms", "--itl", "0.5ms"});
  auto flags = sharegpt(server, where, "60");
  add(flags, {"--max-concurrency", "8"});
  ASSERT_EQ(inferbench(flags).status, 0);
  const finished report = inferbench({"report", where.only(".journal"), "--reporter", "json",
                                      "--save-detailed", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  const auto first = result_in(where);
  const auto second = result_in(again);
  EXPECT_EQ(second.MemberCount(), first.MemberCount());
  for (const auto& member : first.GetObject()) {
    const std::string key = member.name.GetString();
    if (key == "date") continue;
    EXPECT_EQ(base::to_text(second[key]), base::to_text(member.value)) << key;
  }
}

TEST(serve, a_goal_that_is_not_met_sets_the_exit_status_and_is_judged_again_from_the_journal) {
  const folder where;
  simulator server({"--ttft", "2ms", "--itl", "0.5ms"});
  auto flags = sharegpt(server, where, "60");
  add(flags, {"--max-concurrency", "8", "--threshold", "ttft.p99<3600s", "failed<=1%"});
  const finished met = inferbench(flags);
  ASSERT_EQ(met.status, 0) << met.err;
  EXPECT_THAT(met.out, HasSubstr("\nGoal ttft.p99<3600000ms:"));
  const auto json = result_in(where);
  ASSERT_EQ(json["inferbench"]["thresholds"].Size(), 2U);
  EXPECT_TRUE(json["inferbench"]["thresholds"][0]["passed"].GetBool());
  EXPECT_FALSE(json["inferbench"]["thresholds"][0]["certain"].GetBool());

  const auto judged = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"report", where.only(".journal")});
    return inferbench(more);
  };
  EXPECT_EQ(judged({}).status, 0);
  EXPECT_EQ(judged({"--threshold-certain"}).status, 4);  // 60 requests prove no P99
  EXPECT_EQ(judged({"--threshold", "completed>=60", "p50_ttft_ms>0"}).status, 0);
  const finished missed = judged({"--threshold", "mean_ttft_ms<0.001"});
  EXPECT_EQ(missed.status, 4) << missed.err;
  EXPECT_THAT(missed.out, HasSubstr("\nGoal ttft.mean<0.001ms:"));
  EXPECT_THAT(missed.out, Not(HasSubstr("ttft.p99<")));
  EXPECT_EQ(judged({"--threshold", "ttft<1"}).status, 2);
}

TEST(serve, a_truncated_journal_gives_its_complete_records) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  const std::string journal = read(where.only(".journal"));
  // One of two neighbouring places is not the end of a frame.
  const auto cut_at = [&](std::size_t size) {
    return inferbench({"report", where.write("torn.journal", journal.substr(0, size))});
  };
  finished report = cut_at(journal.size() * 2 / 3);
  if (report.err.find("bytes dropped") == std::string::npos)
    report = cut_at(journal.size() * 2 / 3 + 1);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("Successful requests:"));
  EXPECT_THAT(report.err, HasSubstr("bytes dropped"));
  EXPECT_THAT(report.err, HasSubstr("did not come to its end"));
}

TEST(serve, a_torn_journal_says_how_far_off_the_latencies_may_be_and_gives_no_verdict) {
  const folder where;
  const folder again;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  const std::string journal = read(where.only(".journal"));
  const std::string torn = where.write("torn.journal", journal.substr(0, journal.size() * 2 / 3));
  const finished report =
      inferbench({"report", torn, "--reporter", "json", "--result-dir", again.path()});
  ASSERT_EQ(report.status, 0) << report.err;
  const auto json = result_in(again);
  const auto& facts = json["inferbench"]["facts"];
  ASSERT_TRUE(facts.HasMember("client"));
  const auto& client = facts["client"];
  EXPECT_TRUE(client["error_bound_ms"].HasMember("ttft"));
  EXPECT_TRUE(client.HasMember("answers_without_bound"));
  EXPECT_FALSE(client.HasMember("verdict"));
}

TEST(serve, a_journal_with_one_flipped_byte_loses_one_request_and_says_so) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "0"});
  ASSERT_EQ(inferbench(sharegpt(server, where, "50")).status, 0);
  std::string journal = read(where.only(".journal"));
  char& byte = journal[journal.size() * 2 / 3];
  byte = static_cast<char>(byte ^ 1);
  const std::string flipped = where.write("flipped.journal", journal);
  const folder again;
  const finished report =
      inferbench({"report", flipped, "--reporter", "json", "--result-dir", again.path()});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.err, HasSubstr("; 49 records read, "));
  EXPECT_THAT(report.err, Not(HasSubstr("did not come to its end")));
  const auto json = result_in(again);
  EXPECT_EQ(number(json, "completed"), 49);
  const auto& facts = json["inferbench"]["facts"];
  EXPECT_EQ(facts["accounting"]["planned"].GetInt(), 50);
  EXPECT_EQ(facts["accounting"]["not_recorded"].GetInt(), 1);
  EXPECT_EQ(facts["journal_damage"]["places"].GetInt(), 1);
  EXPECT_EQ(facts["journal_damage"]["records_read"].GetInt(), 49);
}

}  // namespace
}  // namespace inferbench::testing

// `inferbench find` over the simulator. The goals are such that the speed of the machine decides
// nothing: limits that no server can meet, and limits that every server meets.
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class find_box {
 public:
  explicit find_box(std::vector<std::string> server = {"--ttft", "1ms", "--itl", "0"})
      : simulated(std::move(server)) {}

  [[nodiscard]] std::vector<std::string> arguments(const std::vector<std::string>& more) const {
    std::vector<std::string> out{"find",
                                 "--base-url",
                                 simulated.url(),
                                 "--backend",
                                 "openai",
                                 "--dataset-name",
                                 "random",
                                 "--random-input-len",
                                 "20",
                                 "--random-output-len",
                                 "2",
                                 "--tokenizer-mode",
                                 "bytes",
                                 "--result-dir",
                                 where.path("results"),
                                 "--json",
                                 where.path("found.json"),
                                 "--settle",
                                 "0s",
                                 "--assumed-correlation",
                                 "0"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  [[nodiscard]] rapidjson::Document found() const {
    const std::string path = where.path("found.json");
    return base::parse_json(read(path), path);
  }

  /// The folder of the search.
  [[nodiscard]] std::filesystem::path search() const {
    for (const auto& each : std::filesystem::directory_iterator(where.path("results")))
      return each.path();
    return {};
  }

  /// Returns when the first probe sends, or when the program has ended.
  void wait_for_traffic(process& program) const {
    // The journal is there when the traffic begins.
    const auto has_begun = [&] {
      return std::filesystem::exists(where.path("results")) && !search().empty() &&
             std::filesystem::exists(search() / "probe-01.journal");
    };
    while (program.running() && !has_begun())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }

  const folder where;
  simulator simulated;
};

TEST(find, says_that_the_largest_load_passes) {
  const find_box box;
  const finished end = inferbench(box.arguments({"--goal", "ttft.p80<60s", "failed<=20%", "--over",
                                                 "max_concurrency", "--between", "1", "4"}));
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("Probe 1 of at most 12: number of concurrent requests 4\n"));
  EXPECT_THAT(end.out, HasSubstr("independent requests"));
  const rapidjson::Document json = box.found();
  EXPECT_EQ(json["limit"].GetDouble(), 4);
  EXPECT_TRUE(json["upper"].IsNull());
  EXPECT_STREQ(json["ended"].GetString(), "hi_passed");
  EXPECT_TRUE(json["certified"].GetBool());
  ASSERT_EQ(json["probes"].Size(), 1U);
  const auto& probe = json["probes"][0];
  EXPECT_STREQ(probe["verdict"].GetString(), "passed");
  EXPECT_GE(probe["goals"][0]["count"].GetDouble(), 20);
  EXPECT_LT(probe["requests"].GetDouble(), 50000) << "the probe ends when its verdict is known";
  EXPECT_TRUE(std::filesystem::exists(box.search() / "probe-01.journal"));
  EXPECT_EQ(read((box.search() / "find.json").string()), read(box.where.path("found.json")));
}

TEST(find, says_that_no_load_meets_the_goal) {
  const find_box box;
  const finished end = inferbench(box.arguments(
      {"--goal", "ttft.p80<1us", "--over", "request_rate", "--between", "100", "200"}));
  EXPECT_EQ(end.status, 4) << end.err;
  const rapidjson::Document json = box.found();
  EXPECT_TRUE(json["limit"].IsNull());
  EXPECT_LE(json["probes"].Size(), 5U) << "it is said after the first probes";
  // A client on a busy machine does not keep up, and then its failures do not count.
  bool kept_up = true;
  for (const auto& probe : json["probes"].GetArray()) {
    const bool by_client = std::string(probe["reason"].GetString()) == "client";
    EXPECT_TRUE(by_client || std::string(probe["verdict"].GetString()) == "failed");
    if (probe["load"].GetDouble() == 100) kept_up = !by_client;
  }
  EXPECT_STREQ(json["ended"].GetString(), kept_up ? "nothing_passed" : "undecided");
}

TEST(find, gives_its_runs_with_their_verdicts_to_reporters) {
  const find_box box;
  const std::string page = box.where.path("page.html");
  const std::string table = box.where.path("runs.csv");
  const finished end = inferbench(
      box.arguments({"--goal", "ttft.p80<60s", "--over", "max_concurrency", "--between", "1", "2",
                     "--reporter", "html=" + page, "--reporter", "csv=" + table}));
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(read(table), HasSubstr("2: passed"));
  EXPECT_TRUE(std::filesystem::exists(page));
  const finished again =
      inferbench({"report", (box.search() / "probe-01.journal").string(), "--reporter", "json=-"});
  EXPECT_THAT(again.out, HasSubstr("\"probe\": {\"verdict\": \"passed\""));
}

TEST(find, estimates_a_mean_and_does_not_certify_it) {
  const find_box box;
  const finished end =
      inferbench(box.arguments({"--goal", "e2el.mean<60s", "--over", "max_concurrency", "--between",
                                "1", "2", "--max-requests", "300"}));
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("estimated"));
  EXPECT_FALSE(box.found()["certified"].GetBool());
}

TEST(find, prints_that_too_little_time_leaves_it_undecided) {
  const find_box box({"--ttft", "20ms", "--itl", "0"});
  const finished end =
      inferbench(box.arguments({"--goal", "ttft.p99.9<60s", "--over", "max_concurrency",
                                "--between", "1", "2", "--max-time", "1s", "--max-probes", "2"}));
  EXPECT_EQ(end.status, 4) << end.err;
  EXPECT_THAT(end.out, HasSubstr("undecided"));
  EXPECT_TRUE(box.found()["limit"].IsNull());
}

TEST(find, keeps_the_probes_so_far_when_the_user_stops_it) {
  const find_box box({"--ttft", "50ms", "--itl", "0"});
  process running(box.arguments(
      {"--goal", "ttft.p99<60s", "--over", "max_concurrency", "--between", "1", "2"}));
  box.wait_for_traffic(running);
  running.signal(SIGINT);
  const finished end = running.wait();
  EXPECT_EQ(end.status, 1) << end.err;
  EXPECT_THAT(end.out, HasSubstr("undecided"));
  EXPECT_STREQ(box.found()["ended"].GetString(), "interrupted");
}

TEST(find, ends_when_the_server_is_gone_and_does_not_count_its_failures) {
  find_box box({"--ttft", "20ms", "--itl", "0"});
  process running(box.arguments({"--goal", "failed<=1%", "--over", "max_concurrency", "--between",
                                 "1", "2", "--max-time", "60s"}));
  box.wait_for_traffic(running);
  box.simulated.kill();
  const finished end = running.wait();
  EXPECT_EQ(end.status, 1) << end.out << end.err;
  EXPECT_THAT(end.err, HasSubstr("the server does not answer any more"));
  const rapidjson::Document json = box.found();
  EXPECT_STREQ(json["ended"].GetString(), "failed");
  EXPECT_TRUE(json["upper"].IsNull());
  EXPECT_STREQ(json["probes"][0]["verdict"].GetString(), "undecided");
  EXPECT_STREQ(json["probes"][0]["reason"].GetString(), "server");
}

TEST(find, refuses_arguments_in_one_line) {
  const auto refusal = [](std::vector<std::string> more) {
    more.insert(more.begin(), "find");
    const finished end = inferbench(std::move(more));
    EXPECT_EQ(end.out, "");
    return std::to_string(end.status) + " " + end.err;
  };
  const std::vector<std::string> whole{"--goal", "ttft.p99<1s", "--between", "1", "8"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), whole.begin(), whole.end());
    return refusal(more);
  };
  EXPECT_THAT(refusal({}), StartsWith("2 inferbench: the search has no goal; add --goal"));
  EXPECT_THAT(refusal({"--goal", "ttft.p99<1s"}), HasSubstr("--between LO HI"));
  EXPECT_THAT(refusal({"--goal", "ttft.p99<1s", "--between", "8", "1"}),
              HasSubstr("the smallest load is not below the largest"));
  EXPECT_THAT(
      refusal({"--goal", "ttft.p99<1s", "--between", "1", "2.5", "--over", "max_concurrency"}),
      HasSubstr("not a whole number"));
  EXPECT_THAT(with({"--request-rate", "3"}),
              HasSubstr("--request-rate: the search sets this itself; leave the flag out"));
  EXPECT_THAT(with({"--num-prompts", "30"}), HasSubstr("--max-requests"));
  EXPECT_THAT(with({"--max-concurrency", "4"}), HasSubstr("would not be that of the search"));
  EXPECT_THAT(with({"--threshold", "ttft.p90<1s"}), HasSubstr("--threshold: the search sets"));
  EXPECT_THAT(with({"--json", "-"}), HasSubstr("--json"));
  EXPECT_THAT(refusal({"--goal", "ttft.p99<1s", "--between", "1", "5000"}),
              HasSubstr("needs 150000 requests, those of --min-time"));
  EXPECT_THAT(with({"--over", "max_concurrency", "--max-requests", "300"}),
              HasSubstr("even if none of them is over a limit, and --max-requests allows 300"));
  EXPECT_THAT(with({"--goal", "ttft.p99.99<1s"}), HasSubstr("choose goals on lower percentiles"));
  EXPECT_THAT(with({"--goal", "ttft.max<1s"}), HasSubstr("no property of single requests"));
  EXPECT_THAT(with({"--over", "users"}), HasSubstr("max_concurrency"));
  EXPECT_THAT(with({"--reporter", "htlm"}), HasSubstr("htlm"));
  EXPECT_THAT(inferbench({"find", "--help"}).out,
              AllOf(HasSubstr("--goal"), HasSubstr("--between"), HasSubstr("--base-url"),
                    Not(HasSubstr("--duration-limit"))));
}

}  // namespace
}  // namespace inferbench::testing

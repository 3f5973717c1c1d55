// Small calibrations of this machine: tests their output and the files they leave, not the quality
// of the metrics.
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <regex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> calibrate(std::initializer_list<const char*> more) {
  std::vector<std::string> out{"calibrate", "--dataset-name",
                               "random",    "--random-input-len",
                               "20",        "--random-output-len",
                               "5",         "--tokenizer-mode",
                               "bytes",     "--temperature",
                               "0",         "--ttft",
                               "2ms",       "--itl",
                               "1ms"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

bool has_child(pid_t parent) {
  const std::string mark = "\nPPid:\t" + std::to_string(parent) + "\n";
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    if (read(entry.path() / "status").find(mark) != std::string::npos) return true;
  return false;
}

rapidjson::Document saved_in(const folder& where) {
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

void expect_figures(const rapidjson::Document& json) {
  for (const char* group : {"ttft_error_ms", "itl_error_ms", "e2el_error_ms", "event_delay_ms"}) {
    const base::json_value* figures = base::find(json, group);
    ASSERT_NE(figures, nullptr) << group;
    for (const char* name : {"mean", "p50", "p99", "max"}) {
      const base::json_value* one = base::find(*figures, name);
      ASSERT_TRUE(one != nullptr && one->IsDouble()) << group << " " << name;
      EXPECT_LT(std::abs(one->GetDouble()), 60e3) << group << " " << name;
    }
    EXPECT_LE((*figures)["p50"].GetDouble(), (*figures)["p99"].GetDouble()) << group;
    EXPECT_LE((*figures)["p99"].GetDouble(), (*figures)["max"].GetDouble()) << group;
  }
  for (const char* name : {"ttft", "itl", "e2el"})
    EXPECT_TRUE(json["p99_difference_ms"][name].IsDouble()) << name;
  EXPECT_THAT(std::string(base::text_of(base::find(json, "verdict"))),
              AnyOf("VALID", "SUSPECT", "INVALID"));
}

TEST(calibrate, holds_every_event_against_the_truth) {
  const folder where;
  const std::string place = where.path();
  const finished end =
      inferbench(calibrate({"--num-prompts", "30", "--request-rate", "300", "--workers", "2",
                            "--save-result", "--result-dir", place.c_str()}));
  ASSERT_EQ(end.status, 0) << end.err;
  const auto json = saved_in(where);
  EXPECT_EQ(json["planned"].GetInt(), 30);
  EXPECT_EQ(json["requests"].GetInt(), 30);
  EXPECT_EQ(json["streams"].GetInt(), 30);
  EXPECT_EQ(json["events"].GetInt(), 150);
  EXPECT_EQ(json["failed"].GetInt(), 0);
  EXPECT_EQ(json["mismatched"].GetInt(), 0);
  EXPECT_EQ(base::text_of(base::find(json, "backend")), "openai");
  EXPECT_EQ(base::text_of(base::find(json, "ttft")), "2ms");
  expect_figures(json);
  // On a busy machine the verdict has reasons, each on its own line.
  const std::string verdict = std::regex_replace(
      std::regex_replace(end.out, std::regex("(VALID|SUSPECT|INVALID)"), "VERDICT"),
      std::regex("\n  [^\n]*"), "");
  const std::string shape = std::regex_replace(verdict, std::regex(" +-?[0-9]+[.][0-9]{3}"), " #");
  EXPECT_EQ(replaced(shape, where.only(".json"), "FILE"), read(fixture("cli/calibrate.txt")));
}

TEST(calibrate, has_no_configuration_to_print) {
  const finished end = inferbench({"calibrate", "--model", "m", "--print-config"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.out, "");
  EXPECT_NE(end.err.find("use inferbench serve --print-config"), std::string::npos) << end.err;
}

TEST(calibrate, knows_that_the_role_event_of_a_chat_has_no_write_of_its_own) {
  const folder where;
  const std::string place = where.path();
  const finished end =
      inferbench(calibrate({"--backend", "openai-chat", "--num-prompts", "10", "--max-concurrency",
                            "3", "--save-result", "--result-dir", place.c_str()}));
  ASSERT_EQ(end.status, 0) << end.err;
  const auto json = saved_in(where);
  EXPECT_EQ(json["streams"].GetInt(), 10);
  EXPECT_EQ(json["events"].GetInt(), 50);
  EXPECT_EQ(json["mismatched"].GetInt(), 0);
  EXPECT_EQ(base::text_of(base::find(json, "backend")), "openai-chat");
  expect_figures(json);
}

TEST(calibrate, needs_no_server_whatever_address_and_endpoint_are_given) {
  const finished end = inferbench(
      calibrate({"--num-prompts", "3", "--base-url", "http://no-such-host.invalid:1", "--endpoint",
                 "/behind/a/proxy/v1/completions", "--proxy", "http://no-such-proxy.invalid:1",
                 "--ready-check-timeout-sec", "600", "--num-warmups", "2", "--profile"}));
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("Requests compared:                      3 of 3\n"));
  EXPECT_THAT(end.err, Not(HasSubstr("calibration:")));
}

TEST(calibrate, counts_with_the_simulator_where_the_server_was_to_count) {
  const finished end = inferbench(calibrate(
      {"--num-prompts", "3", "--tokenizer-mode", "server", "--server-vocab-size", "128256"}));
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("3 of 3\n"));
}

TEST(calibrate, leaves_out_requests_that_would_last_too_long) {
  const finished end = inferbench(
      calibrate({"--num-prompts", "100000", "--max-concurrency", "1", "--duration-limit", "30ms"}));
  EXPECT_EQ(end.status, 0) << end.err;
  // Each request lasts 6 ms.
  EXPECT_THAT(end.out, HasSubstr("5 of 5\n"));
  EXPECT_THAT(end.err, HasSubstr("calibration: 5 of 100000 requests, which last about 0.03 s"));
}

TEST(calibrate, sends_the_first_requests_of_a_load_that_ends_at_a_time) {
  const folder where;
  const std::string place = where.path();
  const finished end = inferbench(
      calibrate({"--duration", "1h", "--request-rate", "100", "--burstiness", "inf",
                 "--duration-limit", "200ms", "--save-result", "--result-dir", place.c_str()}));
  EXPECT_EQ(end.status, 0) << end.err;
  const auto json = saved_in(where);
  // The last of 19 requests is due after 190 ms, and each lasts 6 ms.
  EXPECT_EQ(json["requests"].GetInt(), 19);
  EXPECT_EQ(json["planned"].GetInt(), 19);
  EXPECT_THAT(end.err, HasSubstr("calibration: 19 requests, which last about 0.196 s"));
}

TEST(calibrate, tells_which_part_of_a_pattern_it_sends) {
  // 50 requests in the first half second, then a pause beyond the limit.
  const finished end =
      inferbench(calibrate({"--num-prompts", "60", "--traffic", "steps:0s=100,0.5s=0,1h=1",
                            "--burstiness", "inf", "--duration-limit", "2s"}));
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("calibration: 50 of 60 requests, which last about 0.506 s; the "
                                 "rates after that are not calibrated"));
}

TEST(calibrate, warns_where_the_first_request_alone_is_beyond_the_limit) {
  const finished end = inferbench(calibrate({"--num-prompts", "2", "--request-rate", "10",
                                             "--burstiness", "inf", "--duration-limit", "20ms"}));
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err,
              HasSubstr("calibration: the first request ends about 0.106 s after the "
                        "start, so the calibration lasts longer than its limit of 0.02 s"));
}

TEST(calibrate, refuses_latencies_that_are_none) {
  const finished end = inferbench(calibrate({"--itl", "soon"}));
  EXPECT_EQ(end.status, 2);
  EXPECT_THAT(end.err, HasSubstr("--itl: \"soon\" is not a delay"));
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(inferbench(calibrate({"--duration-limit", "0s"})).status, 2);
}

TEST(calibrate, can_be_interrupted) {
  process run(calibrate({"--num-prompts", "100000", "--request-rate", "100", "--ttft", "10s"}));
  // The child process exists, so the run is about to begin or has begun.
  while (run.running() && !has_child(run.pid()))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  run.signal(SIGINT);
  const finished end = run.wait();
  EXPECT_THAT(end.status, AnyOf(2, 128 + SIGINT)) << end.err;
  EXPECT_EQ(end.out, "");
}

TEST(calibrate, comes_first_where_serve_is_asked_for_it) {
  const folder where;
  simulator server({"--ttft", "1ms", "--itl", "1ms"});
  const finished end = inferbench(
      {"serve", "--calibrate", "--base-url", server.url(), "--dataset-name", "random",
       "--random-input-len", "20", "--random-output-len", "3", "--tokenizer-mode", "bytes",
       "--temperature", "0", "--num-prompts", "7", "--save-result", "--result-dir", where.path()});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_LT(end.out.find("= Calibration ="), end.out.find("Serving Benchmark Result"));
  const auto json = saved_in(where);
  EXPECT_EQ(json["completed"].GetInt(), 7);
  const base::json_value& found = json["inferbench"]["facts"]["calibration"];
  EXPECT_EQ(found["streams"].GetInt(), 7);
  EXPECT_EQ(found["events"].GetInt(), 21);
  EXPECT_EQ(base::text_of(base::find(found, "ttft")), "50ms");
}

TEST(calibrate, explains_its_own_flags) {
  const finished end = inferbench({"calibrate", "--help"});
  EXPECT_EQ(end.status, 0);
  EXPECT_THAT(end.out, HasSubstr("usage: inferbench calibrate [flags]\n"));
  for (const char* flag : {"--ttft DELAY", "--itl DELAY", "--duration-limit TIME"})
    EXPECT_THAT(end.out, HasSubstr(flag));
  EXPECT_THAT(end.out, Not(HasSubstr("--print-config")));
  EXPECT_THAT(inferbench({"serve", "--help"}).out, Not(HasSubstr("--duration-limit")));
}

}  // namespace
}  // namespace inferbench::testing

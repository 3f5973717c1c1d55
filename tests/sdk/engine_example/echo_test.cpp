// Tests both engines of the example in complete runs of the program, without a server.
#include <algorithm>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "program/cli/process.hpp"
#include "records/journal_reader.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TestWithParam;
using ::testing::Values;

class echo_engines : public TestWithParam<const char*> {
 protected:
  /// `count` prompts of 12 tokens, with a requested length of 6 tokens.
  std::vector<std::string> serve(const char* count, std::vector<std::string> more) const {
    std::vector<std::string> out{"serve",
                                 "--backend",
                                 std::string(ECHO_ENGINE) + ":" + GetParam(),
                                 "--tokenizer-mode",
                                 "bytes",
                                 "--num-prompts",
                                 count,
                                 "--random-input-len",
                                 "12",
                                 "--random-output-len",
                                 "6",
                                 "--disable-tqdm",
                                 "--journal",
                                 journal(),
                                 "--save-result",
                                 "--save-detailed",
                                 "--result-dir",
                                 where.path()};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  /// The flag for an option of the engine.
  static std::string own(const char* option) {
    return std::string("--") + GetParam() + "-" + option;
  }
  std::string journal() const { return where.path("run.journal"); }
  std::vector<client::record> records() const {
    std::vector<client::record> out;
    records::journal_reader reader(journal());
    for (client::record r; reader.next(r);)
      out.push_back(r);
    EXPECT_FALSE(reader.damage().has_value());
    return out;
  }
  /// True if the journal has a record. The run may still be writing the journal.
  bool has_record() const {
    try {
      records::journal_reader reader(journal());
      client::record any;
      return reader.next(any);
    } catch (const base::error&) {
      return false;
    }
  }
  rapidjson::Document result() const {
    const std::string path = where.only(".json");
    return base::parse_json(read(path), path);
  }

  const folder where;
};

std::size_t most_at_once(const std::vector<client::record>& of) {
  std::size_t most = 0;
  for (const auto& one : of)
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(of, [&](const auto& r) {
                      return r.start_ns <= one.start_ns && one.start_ns < r.end_ns;
                    })));
  return most;
}

TEST_P(echo_engines, are_measured_as_any_backend) {
  const finished run =
      inferbench(serve("40", {"--max-concurrency", "5", "--num-warmups", "3",
                              "--ready-check-timeout-sec", "30", "--probe-request-rate", "100",
                              own("ttft"), "20ms", own("itl"), "4ms", "--workers", "2"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Initial test run completed."));
  EXPECT_THAT(run.out, HasSubstr("Total generated tokens:"));
  const auto json = result();
  EXPECT_EQ(json["completed"].GetInt(), 40);
  EXPECT_EQ(json["failed"].GetInt(), 0);
  EXPECT_EQ(json["total_input_tokens"].GetInt(), 40 * 12);
  EXPECT_EQ(json["total_output_tokens"].GetInt(), 40 * 6);
  EXPECT_GE(json["median_ttft_ms"].GetDouble(), 20);
  EXPECT_GT(json["probe_completed"].GetInt(), 0);
  const auto& cost = json["inferbench"]["facts"]["plugin_cost"][0];
  EXPECT_EQ(base::text_of(base::find(cost, "id")), GetParam());
  EXPECT_GE(cost["calls"]["release"]["timed"].GetInt(), 40);
  const bool blocks = std::string_view(GetParam()) == "echo-engine-blocking";
  EXPECT_EQ(cost.HasMember("ns_per_request"), !blocks)
      << "a blocking call takes as long as the answer";
  EXPECT_EQ(cost["calls"].HasMember("submit"), !blocks);
  const auto all = records();
  ASSERT_EQ(all.size(), 40U);
  EXPECT_LE(most_at_once(all), 5U);
  double gaps_ms = 0;
  for (const client::record& r : all) {
    gaps_ms += static_cast<double>(r.tokens.back() - r.tokens.front()) / 1e6;
    EXPECT_EQ(r.tokens.size(), 6U);
    EXPECT_GE(r.tokens.front(), r.sent_ns + 20 * base::ns_per_ms);
    EXPECT_GE(r.tokens.back(), r.sent_ns + (20 + 5 * 4) * base::ns_per_ms);
    EXPECT_LE(r.due_ns, r.start_ns);
    EXPECT_LE(r.start_ns, r.sent_ns);
    EXPECT_EQ(r.first_byte_ns, r.tokens.front());
    EXPECT_LE(r.tokens.back(), r.end_ns);
    EXPECT_EQ(r.finish_reason, "length");
    EXPECT_EQ(r.bytes_sent + r.bytes_received, 0U);
  }
  EXPECT_NEAR(json["mean_itl_ms"].GetDouble(), gaps_ms / (40 * 5), 1e-6);
}

TEST_P(echo_engines, fail_the_requested_number_of_requests) {
  const finished run =
      inferbench(serve("40", {own("ttft"), "0", own("itl"), "0", own("failure-share"), "0.25"}));
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = result();
  EXPECT_EQ(json["completed"].GetInt(), 30);
  EXPECT_EQ(json["failed"].GetInt(), 10);
  for (const client::record& r : records()) {
    if (r.ok()) continue;
    EXPECT_EQ(r.error, "this request was to fail");
    EXPECT_EQ(r.tokens.size(), 1U);
  }
}

TEST_P(echo_engines, end_with_ctrl_c) {
  // Every second request fails immediately; the other requests last until they are cancelled.
  process run(serve("1000", {"--max-concurrency", "4", own("ttft"), "0", own("itl"), "10000s",
                             own("failure-share"), "0.5"}));
  while (run.running() && !has_record())
    std::this_thread::yield();
  run.signal(SIGINT);
  const finished end = run.wait();
  EXPECT_EQ(end.status, 1) << end.err;
  const auto json = result();
  const auto& accounting = json["inferbench"]["facts"]["accounting"];
  EXPECT_GE(accounting["cancelled"].GetInt(), 1);
  EXPECT_LE(accounting["cancelled"].GetInt(), 4);
  EXPECT_EQ(accounting["sent"].GetInt(), accounting["ok"].GetInt() + accounting["failed"].GetInt() +
                                             accounting["cancelled"].GetInt());
  EXPECT_EQ(records().size(), accounting["sent"].GetUint());
}

TEST_P(echo_engines, are_subject_to_time_limits) {
  const finished run =
      inferbench(serve("4", {own("ttft"), "10000s", "--first-byte-timeout", "10ms"}));
  EXPECT_THAT(run.out, HasSubstr("no byte of an answer after 0.01 s (--first-byte-timeout)"));
  for (const client::record& r : records())
    EXPECT_EQ(r.status, IFB_E_TIMEOUT);
}

TEST_P(echo_engines, refuse_flags_that_need_a_server) {
  EXPECT_THAT(inferbench(serve("4", {"--calibrate"})).err,
              HasSubstr("it performs its requests itself, and the simulator speaks HTTP; choose a "
                        "backend that speaks HTTP, or leave out --calibrate\n"));
  EXPECT_THAT(inferbench(serve("4", {"--profile"})).err,
              HasSubstr(" has no server to be profiled; leave it out\n"));
  EXPECT_THAT(inferbench({"serve", "--backend", std::string(ECHO_ENGINE) + ":" + GetParam(),
                          "--num-prompts", "4"})
                  .err,
              AllOf(Not(HasSubstr("server")), HasSubstr("no tokenizer is named"),
                    HasSubstr("count bytes with --tokenizer-mode bytes\n")));
}

INSTANTIATE_TEST_SUITE_P(, echo_engines, Values("echo-engine", "echo-engine-blocking"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(echo_engine_that_blocks, reports_its_number_of_threads_if_none_was_given) {
  const folder where;
  const finished run = inferbench(
      {"serve", "--backend", std::string(ECHO_ENGINE) + ":echo-engine-blocking", "--tokenizer-mode",
       "bytes", "--num-prompts", "1100", "--random-input-len", "4", "--random-output-len", "1",
       "--echo-engine-blocking-ttft", "0", "--disable-tqdm"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("needs a thread for each request in flight, so there are 1024 at "
                                 "most; --max-concurrency sets another limit\n"));
}

}  // namespace
}  // namespace inferbench::testing

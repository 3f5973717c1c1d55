#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ids = std::vector<std::uint32_t>;

constexpr const char* three =
    R"({"timestamp": 0, "input_length": 12, "output_length": 5, "hash_ids": [1, 2]}
{"timestamp": 1.5, "input_length": 16, "output_length": 6, "hash_ids": [1, 2], "type": "text"}

{"timestamp": 1.5, "input_length": 16, "output_length": 7, "hash_ids": [1, 3]}
)";

settings with(const data_file& file, settings more = {}) {
  more["path"] = file.path();
  return more;
}

TEST(timed_trace, equal_hashes_are_equal_ids_and_a_shorter_piece_begins_the_longer) {
  const data_file file(three);
  dataset_bench b("timed_trace", with(file, {{"chunk-hash-size", 8}}), support::two_special());
  ASSERT_EQ(b.box.prepare(10, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 3);
  EXPECT_EQ(b.box.operations().flags,
            std::uint32_t{IFB_DATASET_SYNTHETIC | IFB_DATASET_ARRIVALS | IFB_DATASET_PARALLEL});
  const std::vector<ids> made = b.ids();
  EXPECT_EQ(made[0].size(), 12U);
  EXPECT_EQ(made[1].size(), 16U);
  EXPECT_TRUE(std::ranges::equal(made[0], std::span(made[1]).first(12)));
  EXPECT_TRUE(std::ranges::equal(std::span(made[1]).first(8), std::span(made[2]).first(8)));
  EXPECT_NE(made[1], made[2]);
  for (const ids& each : made)
    for (const std::uint32_t id : each) {
      EXPECT_GE(id, 2U);  // not a special id
      EXPECT_LT(id, 1000U);
    }
  EXPECT_EQ(b.box.read(3), IFB_END);
}

// The ids must be the same in every release and on every machine.
TEST(timed_trace, ids_depend_only_on_seed_and_hash) {
  const data_file file(three);
  const auto made = [&](std::uint64_t seed) {
    dataset_bench b("timed_trace", with(file, {{"chunk-hash-size", 8}}));
    EXPECT_EQ(b.box.prepare(10, seed), IFB_OK);
    return b.ids()[1];
  };
  EXPECT_THAT(made(0), ElementsAre(522, 286, 949, 176, 367, 247, 151, 218, 357, 840, 334, 483, 489,
                                   266, 240, 214));
  EXPECT_EQ(made(0), made(0));
  EXPECT_NE(made(0), made(1));
}

TEST(timed_trace, times_and_answers_come_from_the_lines) {
  const data_file file(three);
  dataset_bench b("timed_trace", with(file));
  ASSERT_EQ(b.box.prepare(10), IFB_OK);
  const std::int64_t times[] = {0, 1'500'000'000, 1'500'000'000};
  for (std::uint64_t i = 0; i < 3; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.arrival_ns, times[i]);
    EXPECT_EQ(b.box.sample.output_tokens, static_cast<std::int64_t>(5 + i));
  }
}

TEST(timed_trace, a_line_with_an_earlier_time_than_the_line_before_it_is_sent_with_that_line) {
  const auto line = [](const char* time) {
    return std::string(R"({"timestamp": )") + time +
           R"(, "input_length": 1, "output_length": 1, "hash_ids": [1]})" + "\n";
  };
  const data_file file(line("0.5") + line("0.1") + line("-3") + line("0.7") + line("0.6"));
  dataset_bench b("timed_trace", with(file));
  ASSERT_EQ(b.box.prepare(-1), IFB_OK) << b.box.message();
  const std::int64_t times[] = {500'000'000, 500'000'000, 500'000'000, 700'000'000, 700'000'000};
  for (std::uint64_t i = 0; i < 5; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.arrival_ns, times[i]) << i;
  }
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("3 of 5 requests have a time before the request before them, and are "
                          "sent with it (first: line 2 of " +
                          file.path() + ")"));
}

TEST(timed_trace, mooncake_counts_milliseconds_and_512_tokens_a_hash) {
  const data_file file(support::read_fixture("datasets/mooncake_trace.jsonl"));
  settings given = {{"chunk-hash-size", 512}};
  dataset_bench b("timed_trace", with(file, given));
  ASSERT_EQ(b.box.prepare(-1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 20);
  EXPECT_THAT(b.box.host.log(), ::testing::IsEmpty());
  const auto made = b.ids();
  EXPECT_EQ(made[0].size(), 2166U);
  EXPECT_TRUE(std::ranges::equal(std::span(made[0]).first(1024), std::span(made[3]).first(1024)));
  EXPECT_FALSE(std::ranges::equal(std::span(made[0]).subspan(1024, 512),
                                  std::span(made[3]).subspan(1024, 512)));
}

TEST(timed_trace, qwen_counts_seconds_and_16_tokens_a_hash) {
  const data_file file(support::read_fixture("datasets/qwen_trace.jsonl"));
  dataset_bench b("timed_trace", with(file));
  ASSERT_EQ(b.box.prepare(5), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 5);
  const auto made = b.ids();
  EXPECT_TRUE(std::ranges::equal(std::span(made[2]).subspan(16, 30), std::span(made[3]).first(30)));
  EXPECT_EQ(b.box.sample.arrival_ns, 1'480'000'000);
}

TEST(timed_trace, members_may_have_other_names) {
  const data_file file(R"({"t": 2, "in": 3, "out": 4, "blocks": ["a", "b"]})");
  dataset_bench b("timed_trace", with(file, {{"label-timestamp", "t"},
                                             {"label-input-length", "in"},
                                             {"label-output-length", "out"},
                                             {"label-hash-ids", "blocks"},
                                             {"chunk-hash-size", 2}}));
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.ids()[0].size(), 3U);
  EXPECT_EQ(b.box.sample.arrival_ns, 2'000'000'000);
}

TEST(timed_trace, hashes_that_end_before_the_prompt_are_reported_with_the_remedy) {
  const data_file file(
      "{\"timestamp\":0,\"input_length\":16,\"output_length\":1,\"hash_ids\":[1]}\n"
      "{\"timestamp\":0,\"input_length\":17,\"output_length\":1,\"hash_ids\":[1]}\n"
      "{\"timestamp\":-4,\"input_length\":0,\"output_length\":1,\"hash_ids\":[1]}\n"
      "{\"timestamp\":-4,\"input_length\":9,\"output_length\":1}\n"
      "{\"timestamp\":-4,\"input_length\":9,\"output_length\":1,\"hash_ids\":[18446744073709551615,"
      " -1]}\n");
  dataset_bench b("timed_trace", with(file));
  ASSERT_EQ(b.box.prepare(-1), IFB_OK) << b.box.message();
  EXPECT_THAT(
      b.box.host.log(),
      ElementsAre("2 lines dropped: no tokens or no hashes to make a prompt of (first: line "
                  "3 of " +
                      file.path() + ")",
                  "1 of 3 prompts are shorter than recorded: their hashes end before, at "
                  "16 tokens each; give the trace's number with "
                  "--timed-trace-chunk-hash-size (first: line 2 of " +
                      file.path() + ")"));
  EXPECT_EQ(b.ids()[1].size(), 16U);
  ASSERT_EQ(b.box.read(2), IFB_OK);
  EXPECT_EQ(b.box.sample.arrival_ns, 0);  // was due before the start
}

TEST(timed_trace, an_invalid_line_is_an_error_before_the_run_with_its_position) {
  const std::string good =
      "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1]}\n";
  const std::pair<std::string, const char*> cases[] = {
      {"{\"timestamp\":0", "malformed JSON"},
      {"[1, 2]", "the line is not a JSON object"},
      {"12", "the line is not a JSON object"},
      {good.substr(0, good.size() - 1) + " x", "malformed JSON: text after the object"},
      {"{\"ts\":0,\"input_length\":1}",
       "the line has no member \"timestamp\" (its members: ts, input_length); give the member's "
       "name with --timed-trace-label-timestamp"},
      {"{}", "the line has no member \"timestamp\": the object is empty"},
      {"{\"timestamp\":0,\"output_length\":1}", "--timed-trace-label-input-length"},
      {"{\"timestamp\":0,\"input_length\":1}", "--timed-trace-label-output-length"},
      {"{\"timestamp\":\"0\",\"input_length\":1,\"output_length\":1}",
       "\"timestamp\" is not a number"},
      {"{\"timestamp\":NaN,\"input_length\":1,\"output_length\":1}",
       "\"timestamp\" is not a number"},
      {"{\"timestamp\":0,\"input_length\":1.5,\"output_length\":1}",
       "\"input_length\" is not a whole number from 0 to 16777216"},
      {"{\"timestamp\":0,\"input_length\":1e12,\"output_length\":1}",
       "\"input_length\" is not a whole number from 0 to 16777216"},
      {"{\"timestamp\":0,\"input_length\":1,\"output_length\":-1}",
       "\"output_length\" is not a whole number from 0 to 16777216"},
      {"{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":7}",
       "\"hash_ids\" is not a list"},
      {"{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1.5]}",
       "\"hash_ids\" contains a value that is neither an integer nor a string"},
      {std::string(100'000, '['), "malformed JSON"},
  };
  for (const auto& [line, said] : cases) {
    SCOPED_TRACE(line.substr(0, 80));
    const data_file file(good + line + "\n" + good);
    dataset_bench b("timed_trace", with(file));
    EXPECT_EQ(b.box.prepare(-1), IFB_E_DATA);
    EXPECT_EQ(b.box.option_at_fault(), "path");
    EXPECT_THAT(b.box.message(), HasSubstr(file.path() + ":2: "));
    EXPECT_THAT(b.box.message(), HasSubstr(said));
    // Lines after the requested number of rows are not read.
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  }
  const data_file empty("\n \n");
  dataset_bench b("timed_trace", with(empty));
  EXPECT_EQ(b.box.prepare(-1), IFB_E_DATA);
  EXPECT_THAT(b.box.message(), HasSubstr("yields no request"));
}

}  // namespace

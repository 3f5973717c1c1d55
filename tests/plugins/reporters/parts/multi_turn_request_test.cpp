// Tests the figures of requests and the summary of the reporter `multi-turn`.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "reporters/multi-turn/request_json.hpp"
#include "reporters/multi-turn/run_summary.hpp"
#include "reporters/multi-turn/turn_request.hpp"

namespace {

using multi_turn::turn_request;
using testing::ElementsAre;
using testing::HasSubstr;

/// A successful request of a conversation, with what it refers to.
struct turn_record {
  std::vector<std::pair<std::string, std::string>> attributes{{"conversation_id", "tide"}};
  std::string session = "s-0";
  std::string text = "one two three four five";
  ifb_record record{};

  turn_record() {
    record.struct_size = sizeof record;
    record.status = IFB_OK;
    record.start_ns = 1'000'000;
    record.first_answer_ns = 21'000'000;
    record.end_ns = 61'000'000;
    record.sample_tokens = 10;
    record.output_tokens = 5;
    record.token_count = 4;
  }
  turn_request added_to(multi_turn::turn_requests& to) {
    std::vector<ifb_field> fields;
    for (const auto& [name, value] : attributes)
      fields.push_back({ifb::str(name), ifb::str(value)});
    record.session = ifb::str(session);
    record.text = ifb::str(text);
    record.attributes = fields.data();
    record.attribute_count = static_cast<std::uint32_t>(fields.size());
    to.add(record);
    return to.all().back();
  }
};

/// Counts words.
std::int64_t words(std::string_view text) {
  std::int64_t out = 0;
  bool inside = false;
  for (const char c : text) {
    out += c != ' ' && !inside ? 1 : 0;
    inside = c != ' ';
  }
  return out;
}

TEST(turn_requests, times_are_those_of_the_answer) {
  multi_turn::turn_requests all({});
  const turn_request found = turn_record().added_to(all);
  EXPECT_DOUBLE_EQ(found.ttft_ms, 20);
  EXPECT_DOUBLE_EQ(found.latency_ms, 60);
  EXPECT_DOUBLE_EQ(found.tpot_ms, 10) << "40 ms for four tokens after the first";
  EXPECT_DOUBLE_EQ(found.start_time_ms, 1);
  EXPECT_EQ(found.conversation_id, "tide");
  EXPECT_EQ(found.input_num_turns, 1);
  EXPECT_EQ(found.output_num_chunks, 3);
}

TEST(turn_requests, a_first_chunk_of_several_tokens_is_taken_into_account) {
  multi_turn::turn_requests all(words);
  turn_record r;
  r.attributes.emplace_back("answer.first_bytes", "13");  // "one two three"
  r.attributes.emplace_back("answer.chunks", "3");
  const turn_request found = r.added_to(all);
  EXPECT_EQ(found.output_num_first_chunk_tokens, 3);
  EXPECT_DOUBLE_EQ(found.tpot_ms, 20) << "40 ms for two tokens";
  EXPECT_DOUBLE_EQ(found.ttft_ms, 0.1) << "20 ms - 2 * 20 ms, but at least 0.1 ms";
  EXPECT_EQ(found.output_num_chunks, 2);
}

TEST(turn_requests, an_answer_in_one_piece_has_no_time_per_token) {
  multi_turn::turn_requests all(words);
  turn_record r;
  r.attributes.emplace_back("answer.first_bytes", std::to_string(r.text.size()));
  r.attributes.emplace_back("answer.chunks", "1");
  const turn_request found = r.added_to(all);
  EXPECT_EQ(found.output_num_first_chunk_tokens, 5);
  EXPECT_EQ(found.tpot_ms, 0);
  EXPECT_DOUBLE_EQ(found.ttft_ms, 20);
  EXPECT_EQ(found.output_num_chunks, 0);
}

TEST(turn_requests, without_text_the_ttft_is_the_latency) {
  multi_turn::turn_requests all({});
  turn_record r;
  r.text.clear();
  r.record.first_answer_ns = 0;
  r.record.output_tokens = 0;
  EXPECT_DOUBLE_EQ(r.added_to(all).ttft_ms, 60);
}

TEST(turn_requests, the_input_of_a_turn_is_all_that_was_said_before_it) {
  multi_turn::turn_requests all({});
  turn_record first;
  first.attributes.emplace_back("question_tokens", "10");
  EXPECT_EQ(first.added_to(all).approx_cached_percent, 0);
  turn_record second;
  second.record.turn = 1;
  second.record.sample_tokens = 999;  // an estimate
  second.attributes.emplace_back("question_tokens", "5");
  second.attributes.emplace_back("messages", "3");
  second.attributes.emplace_back("client", "4");
  const turn_request found = second.added_to(all);
  EXPECT_EQ(found.input_num_tokens, 10 + 5 + 5);
  EXPECT_DOUBLE_EQ(found.approx_cached_percent, 75);
  EXPECT_EQ(found.input_num_turns, 3);
  EXPECT_EQ(found.client_id, 4);
  turn_record other;
  other.session = "s-1";
  EXPECT_EQ(other.added_to(all).input_num_tokens, 10);
}

TEST(turn_requests, attributes_that_are_no_numbers_are_ignored) {
  multi_turn::turn_requests all(words);
  turn_record r;
  for (const char* name : {"answer.first_bytes", "answer.chunks", "messages", "client"})
    r.attributes.emplace_back(name, "x1");
  r.attributes.emplace_back("question_tokens", "");
  EXPECT_EQ(r.added_to(all).output_num_first_chunk_tokens, 1);
  turn_record long_one;
  long_one.attributes.emplace_back("answer.first_bytes", "1000");
  EXPECT_EQ(long_one.added_to(all).output_num_first_chunk_tokens, 1) << "longer than the text";
}

TEST(request_json, is_a_list_with_two_blanks) {
  turn_request one;
  one.ttft_ms = 1.5;
  one.conversation_id = "a\"b";
  EXPECT_EQ(multi_turn::requests_json({}), "[]");
  const std::string text = multi_turn::requests_json(std::vector{one, one});
  EXPECT_TRUE(text.starts_with("[\n  {\n    \"ttft_ms\": 1.5,\n    \"tpot_ms\": 0.0,\n"));
  EXPECT_THAT(text, HasSubstr("\"conversation_id\": \"a\\\"b\",\n    \"client_id\": 0\n  },\n  {"));
  EXPECT_TRUE(text.ends_with("\n  }\n]"));
}

std::vector<turn_request> four_requests() {
  std::vector<turn_request> out(4);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].start_time_ms = 1000.0 * static_cast<double>(4 - i);
    out[i].latency_ms = 500;
    out[i].conversation_id = i % 2 == 0 ? "a" : "b";
  }
  return out;
}

TEST(run_summary, is_from_the_first_start_to_the_end_of_the_last) {
  const auto sorted = multi_turn::by_start(four_requests());
  EXPECT_EQ(sorted.front().start_time_ms, 1000);
  const auto all = multi_turn::summarise(sorted, 0, false);
  EXPECT_DOUBLE_EQ(all.runtime_s, 3.5);
  EXPECT_DOUBLE_EQ(all.requests_per_s, 4 / 3.5);
  EXPECT_EQ(all.table.names.size(), 7U);
  const auto later = multi_turn::summarise(sorted, 0.3, true);
  EXPECT_DOUBLE_EQ(later.runtime_s, 2.5) << "the first request is left out";
  EXPECT_EQ(later.table.names.back(), "time_between_user_turns_sec");
  EXPECT_EQ(later.table.rows.back()[0], 1) << "one request of three has one before it";
  EXPECT_DOUBLE_EQ(later.table.rows.back()[1], 2);
}

TEST(run_summary, shares_are_read_and_sorted) {
  std::vector<std::string> found;
  for (const auto& each : multi_turn::warmup_shares({"50%", "0%", " 12.5% "}, "w"))
    found.push_back(each.text);
  EXPECT_THAT(found, ElementsAre("0%", "12.5%", "50%"));
  for (const char* text : {"", "5", "%", "100%", "-1%", "nan%", "1e%"})
    EXPECT_THROW(std::ignore = multi_turn::warmup_shares({text}, "w"), ifb::failure) << text;
}

}  // namespace

#include "multiturn/serve_words.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/refusal.hpp"

namespace inferbench::multiturn {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

script_options plain() {
  script_options out;
  out.input_file = "chats.json";
  out.model = out.served_model = "org/m";
  out.url = "http://localhost:8000";
  out.warmup_percentages = {"0%"};
  return out;
}

std::vector<std::string> words_of(const script_options& o, bool generated = false) {
  script_input input;
  input.conversations = 24;
  input.generated = generated;
  if (generated) input.parameters = {{"prompt_input.num_turns", "uniform(min=12, max=18)"}};
  return serve_words(o, input, {"", "/proc/self/fd/9"});
}

/// The word after `flag`; empty: there is no such flag.
std::string value_of(const std::vector<std::string>& words, const std::string& flag) {
  const auto at = std::ranges::find(words, flag);
  return at == words.end() || at + 1 == words.end() ? std::string() : *(at + 1);
}

TEST(serve_words, a_plain_command_line_asks_for_the_requests_of_the_script) {
  const auto words = words_of(plain());
  EXPECT_EQ(value_of(words, "--backend"), "openai-chat");
  EXPECT_EQ(value_of(words, "--dataset-name"), "conversations");
  EXPECT_EQ(value_of(words, "--dataset-path"), "chats.json");
  EXPECT_EQ(value_of(words, "--num-prompts"), "-1");
  EXPECT_EQ(value_of(words, "--max-concurrency"), "1");
  EXPECT_EQ(value_of(words, "--conversation-clients"), "1");
  EXPECT_EQ(value_of(words, "--request-timeout"), "120s");
  EXPECT_EQ(value_of(words, "--extra-body"), R"({"seed": 0, "temperature": 0.0, "stream": true, )"
                                             R"("stream_options": {"include_usage": false}})");
  EXPECT_EQ(value_of(words, "--turn-body"),
            R"({"min_tokens": "$answer_tokens", "max_tokens": "$answer_tokens"})");
  EXPECT_EQ(value_of(words, "--multi-turn-warmup-percentages"), "0%");
  EXPECT_THAT(words, Contains("--conversation-early-stop"));
  EXPECT_THAT(words, Contains("num_conversations=24"));
  EXPECT_THAT(words, Contains("active_conversations=None"));
  for (const char* flag : {"--header", "--conversation-warm-up", "--conversation-retries",
                           "--conversations-max-turns", "--multi-turn-conversations"})
    EXPECT_THAT(words, Not(Contains(flag)));
}

TEST(serve_words, the_workbook_replaces_no_file_of_the_user) {
  script_options o = plain();
  const script_files files{"./book.xlsx", ""};
  EXPECT_NO_THROW(std::ignore = serve_words(o, {}, files));
  o.output_file = "book.xlsx";
  EXPECT_THROW(std::ignore = serve_words(o, {}, files), options::usage_error);
}

TEST(serve_words, limits_become_members_of_the_bodies) {
  script_options o = plain();
  o.limit_min_tokens = 2;
  o.limit_max_tokens = 1000;
  auto words = words_of(o);
  EXPECT_EQ(value_of(words, "--turn-body"), R"({"min_tokens": 2, "max_tokens": "$answer_tokens"})");
  EXPECT_EQ(value_of(words, "--conversations-min-tokens"), "1000");
  EXPECT_EQ(value_of(words, "--conversations-max-tokens"), "1000");
  EXPECT_EQ(value_of(words, "--request-timeout"), "200s") << "a fifth of a second for each token";
  o.limit_min_tokens = o.limit_max_tokens = -1;
  words = words_of(o);
  EXPECT_EQ(value_of(words, "--turn-body"), "");
  EXPECT_THAT(words, Contains("--conversations-max-tokens=-1"));
  o.limit_min_tokens = 0;
  o.send_conversation_id = true;
  EXPECT_EQ(value_of(words_of(o), "--turn-body"),
            R"({"min_tokens": "$answer_tokens", "conversation_id": "$conversation_id"})");
}

TEST(serve_words, clients_share_conversations_and_requests) {
  script_options o = plain();
  o.clients = 3;
  o.max_active = 8;
  o.max_requests = 10;
  o.random_sampling = true;
  o.request_rate = 0.5;
  o.max_retries = 2;
  o.warmup_step = true;
  o.early_stop = false;
  o.stream = false;
  o.max_turns = 5;
  const auto words = words_of(o);
  EXPECT_EQ(value_of(words, "--max-concurrency"), "3");
  EXPECT_EQ(value_of(words, "--max-active-conversations"), "6") << "two for each client";
  EXPECT_EQ(value_of(words, "--conversation-requests"), "3");
  EXPECT_EQ(value_of(words, "--conversation-order"), "random");
  EXPECT_EQ(value_of(words, "--conversation-rate"), "0.5");
  EXPECT_EQ(value_of(words, "--conversation-retries"), "2");
  EXPECT_EQ(value_of(words, "--conversations-max-turns"), "5");
  EXPECT_THAT(words, Contains("--conversation-warm-up"));
  EXPECT_THAT(words, Not(Contains("--conversation-early-stop")));
  EXPECT_THAT(words, Not(Contains("--multi-turn-warmup-percentages")));
  EXPECT_THAT(value_of(words, "--extra-body"), testing::HasSubstr(R"("stream": false)"));
}

TEST(serve_words, the_key_is_a_header_and_headers_follow) {
  script_options o = plain();
  o.api_key = "secret";
  o.headers = {{"X-A", "1"}, {"X-B", "2=3"}};
  const auto words = words_of(o);
  const auto at = std::ranges::find(words, "--header");
  ASSERT_NE(at, words.end());
  EXPECT_EQ(std::vector<std::string>(at + 1, at + 4),
            (std::vector<std::string>{"Authorization=Bearer secret", "X-A=1", "X-B=2=3"}));
}

TEST(serve_words, the_words_of_the_user_for_serve_come_last) {
  script_options o = plain();
  o.rest = {"--goodput", "ttft:100"};
  const auto words = words_of(o);
  ASSERT_GE(words.size(), 2U);
  EXPECT_EQ(std::vector<std::string>(words.end() - 2, words.end()), o.rest);
}

TEST(serve_words, texts_of_generated_conversations_go_through_a_file) {
  script_options o = plain();
  o.output_file = "out.json";
  o.verify_output = true;
  auto words = words_of(o, true);
  EXPECT_EQ(value_of(words, "--conversations-save"), "/proc/self/fd/9");
  EXPECT_EQ(value_of(words, "--multi-turn-conversations"), "/proc/self/fd/9");
  EXPECT_EQ(value_of(words, "--multi-turn-answers"), "out.json");
  EXPECT_THAT(words, Contains("--multi-turn-verify"));
  EXPECT_THAT(words, Contains("prompt_input.num_turns=uniform(min=12, max=18)"));
  words = words_of(o);
  EXPECT_THAT(words, Not(Contains("--conversations-save")));
  EXPECT_EQ(value_of(words, "--multi-turn-conversations"), "chats.json");
}

TEST(serve_words, the_workbook_has_the_date_in_its_name) {
  const std::string name = workbook_name(2, 1'764'338'639);
  EXPECT_TRUE(name.starts_with("statistics_2_clients__"));
  EXPECT_TRUE(name.ends_with(".xlsx"));
  EXPECT_EQ(name.size(), std::string("statistics_2_clients__28-11-2026_14-03-59.xlsx").size());
}

TEST(serve_words, flags_without_an_effect_have_a_note) {
  script_options o = plain();
  EXPECT_THAT(script_notes(o), IsEmpty());
  o.print_content = true;
  o.warmup_step = true;
  o.warmup_percentages = {"0%", "50%"};
  EXPECT_EQ(script_notes(o).size(), 2U);
}

}  // namespace
}  // namespace inferbench::multiturn

#include "prompts/alignment.hpp"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::prompts {
namespace {

using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const base::monotonic_clock clock_;

std::string prompt_of(const asked& request) {
  return std::string(base::text_of(base::find(base::parse_json(request.body, "t"), "prompt")));
}

/// Two bytes per token: "abcde" is [97, 99, 101], which is detokenized to "ace".
answered every_other_byte(const asked& request) {
  const auto body = base::parse_json(request.body, "t");
  std::string out;
  if (request.line == "POST /tokenize") {
    const std::string text = prompt_of(request);
    for (std::size_t i = 0; i < text.size(); i += 2)
      out += (i == 0 ? "" : ",") + std::to_string(static_cast<int>(text[i]));
    return {200, "{\"count\": 1, \"tokens\": [" + out + "]}"};
  }
  for (const auto& id : (*base::find(body, "tokens")).GetArray())
    out += static_cast<char>(id.GetUint());
  return {200, "{\"prompt\": \"" + out + "\"}"};
}

struct aligned_bench {
  explicit aligned_bench(answering_server::handler answer)
      : server(std::move(answer)), where(settings(server.url()), clock_) {}

  static config::server settings(const std::string& url) {
    config::server out;
    out.base_urls = {url};
    out.api_key = "secret";
    out.headers = {{"X-Tenant", "t"}};
    return out;
  }

  dataset::sample_ptr sample(const std::string& text, std::int64_t wanted) {
    dataset::sample_ptr out = pool.take();
    auto* part = static_cast<ifb_part*>(out->arena.alloc(sizeof(ifb_part)));
    part->struct_size = sizeof *part;
    part->kind = IFB_PART_TEXT;
    const std::string_view kept = out->arena.copy(text);
    part->data = {kept.data(), kept.size()};
    out->c.shape = IFB_PROMPT_TEXT;
    out->c.prompt = {part, 1, sizeof *part};
    out->c.input_tokens = wanted;
    return out;
  }

  answering_server server;
  services::target where;
  fake::log_book book;
  dataset::pool pool;
  alignment subject{where, "served", book.log};
};

std::vector<std::string> prompts(const std::vector<dataset::sample_ptr>& of) {
  std::vector<std::string> out;
  for (const dataset::sample_ptr& one : of)
    out.push_back(fake::prompt(*one));
  return out;
}

TEST(alignment, is_not_needed_where_the_server_counts_the_same) {
  aligned_bench b(every_other_byte);
  EXPECT_FALSE(b.subject.needed_after(*b.sample("abcd", 2)));
  EXPECT_THAT(b.book.lines(), IsEmpty());
  ASSERT_EQ(b.server.seen().size(), 1U) << "only the first prompt is looked at";
  const asked request = b.server.seen()[0];
  EXPECT_EQ(request.line, "POST /tokenize");
  EXPECT_EQ(request.body, R"({"model": "served", "prompt": "abcd", "add_special_tokens": false})");
  EXPECT_THAT(request.head, HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(request.head, HasSubstr("X-Tenant: t\r\n"));
}

TEST(alignment, is_reported_with_both_counts) {
  aligned_bench b(every_other_byte);
  EXPECT_TRUE(b.subject.needed_after(*b.sample("abcdef", 2)));
  EXPECT_THAT(
      b.book.lines(),
      ElementsAre("the server counts 3 tokens in the first prompt, the client 2: prompts "
                  "that are too long by the server's count are cut to their requested length"));
}

TEST(alignment, asks_about_the_first_prompt_once_for_all_its_requests) {
  aligned_bench b(every_other_byte);
  EXPECT_TRUE(b.subject.needed_after(*b.sample("abcdefgh", 2)));
  std::vector<dataset::sample_ptr> warm_up;
  warm_up.push_back(b.sample("abcdefgh", 2));
  b.subject.align(warm_up);
  std::vector<dataset::sample_ptr> run;
  run.push_back(b.sample("abcdefgh", 2));
  // This prompt has another requested length, so the alignment asks the server again.
  run.push_back(b.sample("abcdefgh", 3));
  b.subject.align(run);
  EXPECT_THAT(prompts(warm_up), ElementsAre("ac"));
  EXPECT_THAT(prompts(run), ElementsAre("ac", "ace"));
  std::vector<std::string> lines;
  for (const asked& request : b.server.seen())
    lines.push_back(request.line);
  EXPECT_THAT(lines, ElementsAre("POST /tokenize", "POST /detokenize", "POST /tokenize",
                                 "POST /detokenize"));
}

TEST(alignment, cuts_long_prompts_and_does_not_change_short_ones) {
  aligned_bench b(every_other_byte);
  std::vector<dataset::sample_ptr> some;
  some.push_back(b.sample("abcdefgh", 2));
  some.push_back(b.sample("abcd", 2));
  some.push_back(b.sample("ab", 9));
  some.push_back(b.sample("", 0));
  b.subject.align(some);
  EXPECT_THAT(prompts(some), ElementsAre("ac", "abcd", "ab", ""));
  EXPECT_EQ(some[0]->c.input_tokens, 2);
}

TEST(alignment, a_prompt_that_the_server_will_not_take_stays) {
  aligned_bench b([](const asked& request) {
    if (request.body.find("bad") != std::string::npos) return answered{500, "no"};
    if (request.line == "POST /detokenize" && request.body.find("[120") != std::string::npos)
      return answered{200, "{\"prompt\": 7}"};
    return every_other_byte(request);
  });
  std::vector<dataset::sample_ptr> some;
  some.push_back(b.sample("bad one", 1));
  some.push_back(b.sample("abcdef", 1));
  some.push_back(b.sample("xyz", 1));
  b.subject.align(some);
  EXPECT_THAT(prompts(some), ElementsAre("bad one", "a", "xyz"));
  EXPECT_THAT(b.book.lines(), IsEmpty());
}

TEST(alignment, many_are_aligned_together) {
  aligned_bench b(every_other_byte);
  std::vector<dataset::sample_ptr> some;
  std::vector<std::string> cut;
  for (std::size_t i = 0; i < 64; ++i) {
    const char letter = static_cast<char>('a' + i % 26);
    const std::size_t wanted = i % 25 + 1;  // the prompt itself has 20 tokens
    some.push_back(b.sample(std::string(40, letter), static_cast<std::int64_t>(wanted)));
    cut.emplace_back(wanted >= 20 ? 40 : wanted, letter);
  }
  b.subject.align(some);
  EXPECT_EQ(prompts(some), cut);
}

TEST(alignment, is_given_up_where_the_server_takes_none) {
  aligned_bench b([](const asked&) { return answered{500, "no"}; });
  std::vector<dataset::sample_ptr> some;
  some.push_back(b.sample("abc", 1));
  some.push_back(b.sample("abcdef", 1));
  b.subject.align(some);
  b.subject.align(some);
  EXPECT_EQ(b.server.seen().size(), 2U);
  EXPECT_THAT(
      b.book.lines(),
      ElementsAre("prompts are no longer aligned: the server refused all prompts of a batch"));
}

TEST(alignment, is_left_out_with_the_reason_where_the_server_cannot_count) {
  const std::string skipped =
      "the server's tokenizer gave no tokens, so it may count other lengths of prompts: ";
  const std::pair<answered, std::string> cases[] = {
      {{404, "no"}, "/tokenize answered HTTP 404 Said"},
      {{200, "{\"tokens\": []}"}, "/tokenize answered without tokens"},
      {{200, "[]"}, "/tokenize answered without tokens"},
      {{200, "{\"tokens\": [\"a\"]}"}, "/tokenize answered with tokens that are not numbers"},
      {{200, "gone"}, "/tokenize:1:1: malformed JSON: Invalid value"},
  };
  for (const auto& [answer, reason] : cases) {
    aligned_bench b([said = answer](const asked&) { return said; });
    EXPECT_FALSE(b.subject.needed_after(*b.sample("abc", 1)));
    EXPECT_THAT(b.book.lines(), ElementsAre(skipped + reason));
  }
}

TEST(alignment, asks_no_more_once_it_is_stopped) {
  std::atomic<bool> stop = false;
  aligned_bench b([&](const asked&) {
    stop = true;  // no answer is given before the stop takes effect
    stop.wait(true);
    return answered{500, "late"};
  });
  alignment subject(b.where, "served", b.book.log, [&] { return stop.load(); });
  std::vector<dataset::sample_ptr> some;
  some.push_back(b.sample("abcdef", 1));
  some.push_back(b.sample("abcdefgh", 1));
  EXPECT_FALSE(subject.needed_after(*some[0]));
  subject.align(some);
  EXPECT_THAT(prompts(some), ElementsAre("abcdef", "abcdefgh"));
  EXPECT_EQ(b.server.seen().size(), 1U);
  EXPECT_THAT(b.book.lines(), IsEmpty());
  stop = false;
  stop.notify_all();
}

TEST(alignment, is_for_texts_of_known_length) {
  aligned_bench b(every_other_byte);
  const dataset::sample_ptr unknown = b.sample("abcdef", -1);
  const dataset::sample_ptr chat = b.sample("abcdef", 1);
  chat->c.shape = IFB_PROMPT_CHAT;
  EXPECT_FALSE(b.subject.needed_after(*unknown));
  EXPECT_FALSE(b.subject.needed_after(*chat));
  EXPECT_THAT(b.server.seen(), IsEmpty());
}

}  // namespace
}  // namespace inferbench::prompts

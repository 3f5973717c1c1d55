// Tests answers read with templates, message by message: the cases are
// tests/fixtures/backends/template/transcripts.json.
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/hostile.hpp"
#include "plugins/backends/template_case.hpp"
#include "support/sanitizer.hpp"

namespace backends {
namespace {

constexpr std::string_view rich_answer =
    R"({"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant",)"
    "\"content\":\"h\\u00e9\\ud83d\\ude00 \xE4\xB8\xAD\",\"reasoning\":\"r\"},"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1e1,)"
    R"("prompt_tokens_details":{"cached_tokens":4}}})";

codec_box chat() {
  return codec_box("template", {{"file", template_case::example("openai-chat.toml")}});
}

TEST(template_answers, give_the_recorded_reports) {
  const auto cases = fixture("template/transcripts.json");
  ASSERT_GT(cases.Size(), 30U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    const template_case files(c);
    codec_box box("template", files.options());
    box.open_any();
    counting_transcript heard;
    bool going = true;
    for (const auto& m : c["messages"].GetArray()) {
      ASSERT_TRUE(going) << "messages after a failure";
      const bool named = m.IsObject() && m.HasMember("data");
      const char* event =
          named ? m["event"].GetString() : (c.HasMember("event") ? c["event"].GetString() : "");
      going = box.message(heard,
                          m.IsString() ? std::string(m.GetString(), m.GetStringLength())
                                       : (named ? std::string(m["data"].GetString()) : to_text(m)),
                          event);
    }
    if (going) box.end(heard);
    std::vector<std::string> expected;
    for (const auto& line : c["heard"].GetArray())
      expected.emplace_back(line.GetString(), line.GetStringLength());
    EXPECT_EQ(heard.lines, expected);
    EXPECT_TRUE(heard.finished());
  }
}

/// The fast path and RapidJSON must read the same: white space makes the fast path stop.
TEST(template_answers, are_the_same_in_any_layout_of_their_json) {
  auto box = chat();
  box.open_any();
  counting_transcript compact;
  ASSERT_TRUE(box.message(compact, rich_answer));
  std::string spread;
  bool quoted = false;
  for (std::size_t i = 0; i < rich_answer.size(); ++i) {
    const char c = rich_answer[i];
    if (c == '"' && (i == 0 || rich_answer[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && std::string_view("{}[]:,").find(c) != std::string_view::npos) {
      spread += std::string(" \n\t") + c + "\r ";
      continue;
    }
    spread += c;
  }
  box.open_any();
  counting_transcript loose;
  ASSERT_TRUE(box.message(loose, spread));
  EXPECT_EQ(loose.lines, compact.lines);
  EXPECT_THAT(compact.lines, testing::ElementsAre("token 0 answer \"hé😀 中\" 0",
                                                  "attribute reasoning \"r\"", "usage 5 4 10 -"));
}

TEST(template_answers, are_framed_as_the_template_says) {
  const auto typed = [](std::string_view type) {
    return std::vector<ifb_field>{ifb::field("Date", "x"), ifb::field("CONTENT-type", type)};
  };
  codec_box events("template", {{"file", template_case::example("tgi.toml")}});
  events.open_any();
  EXPECT_EQ(events.head(200, typed("text/event-stream")), IFB_FRAMING_SSE);
  EXPECT_EQ(events.head(200, typed("text/plain")), IFB_FRAMING_SSE);
  EXPECT_EQ(events.head(200, {}), IFB_FRAMING_SSE);
  EXPECT_EQ(events.head(200, typed("application/json-seq")), IFB_FRAMING_SSE);
  EXPECT_EQ(events.head(200, typed("text/html")), IFB_FRAMING_WHOLE);
  EXPECT_EQ(events.head(503, typed("application/json")), IFB_FRAMING_AUTO);
  codec_box lines("template", {{"file", template_case::example("ollama.toml")}});
  lines.open_any();
  EXPECT_EQ(lines.head(200, typed("application/x-ndjson")), IFB_FRAMING_LINES);
  EXPECT_EQ(lines.head(200, typed("application/json")), IFB_FRAMING_LINES);
  codec_box whole("template",
                  {{"file", template_case::example("ollama.toml")}, {"whole", std::int64_t{1}}});
  whole.open_any();
  EXPECT_EQ(whole.head(200, typed("application/json")), IFB_FRAMING_WHOLE);
}

TEST(template_answers, that_come_whole_although_streams_were_requested_are_read_as_whole_answers) {
  codec_box box("template", {{"file", template_case::example("tgi.toml")}});
  box.open_any();
  EXPECT_EQ(box.head(200, {ifb::field("Content-Type", "Application/JSON ; charset=utf-8")}),
            IFB_FRAMING_WHOLE);
  counting_transcript heard;
  ASSERT_TRUE(box.message(heard, R"({"generated_text": "a b"})"));
  box.end(heard);
  EXPECT_THAT(heard.lines, testing::ElementsAre("token 0 answer \"a b\" 0", "done "));
}

/// The last report for an answer with the Content-Type `type`. `messages`: the messages of the
/// answer, without framing.
std::string failure_of(const support::settings& options, const char* type,
                       const std::vector<std::string>& messages) {
  codec_box box("template", options);
  box.open_any();
  (void)box.head(200, {ifb::field("Content-Type", type)});
  transcript heard;
  bool going = true;
  for (const std::string& each : messages)
    going = going && box.message(heard, each);
  if (going) box.end(heard);
  return heard.lines.empty() ? "" : heard.lines.back();
}

TEST(template_answers, in_another_framing_than_the_file_says_fail_with_a_question) {
  using testing::EndsWith;
  using testing::HasSubstr;
  using testing::Not;
  const support::settings events{{"file", template_case::example("llama-cpp.toml")}};
  const support::settings lines{{"file", template_case::example("ollama.toml")}};
  support::settings whole = lines;
  whole["whole"] = std::int64_t{1};
  const inferbench::support::temporary_folder folder;
  const support::settings no_whole{
      {"file", folder.write("t.toml",
                            "[request]\npath = \"/\"\n[request.body]\na = \"{{prompt}}\"\n"
                            "[stream]\ntext = \"a\"\n")}};
  const std::string is = "; the answer's Content-Type is ";
  // Lines have no event fields, so no message arrives.
  EXPECT_THAT(
      failure_of(events, "application/x-ndjson; charset=utf-8", {}),
      EndsWith("(TTFT)" + is + "application/x-ndjson: does the file want framing = \"lines\"?"));
  EXPECT_THAT(failure_of(lines, "Text/Event-Stream", {"data: {\"response\": \"a\"}"}),
              EndsWith(is + "text/event-stream: does the file want framing = \"sse\"?"));
  EXPECT_THAT(failure_of(lines, "application/json", {"{"}),
              EndsWith(is + "application/json: is --template-whole wanted?"));
  EXPECT_THAT(failure_of(no_whole, "application/json", {R"({"b": "c"})"}),
              EndsWith(is + "application/json: does the file want [whole]?"));
  EXPECT_THAT(failure_of(whole, "application/x-ndjson", {"{}\n{}\n"}),
              EndsWith(is + "application/x-ndjson: does the file want [stream], or stream = "
                            "\"{{stream}}\" in its body?"));
  // For these types the error message asks no question: a type that does not determine the framing,
  // the type of the expected framing, and the type of an error page.
  for (const char* type : {"text/plain", "text/event-stream", "text/html"})
    EXPECT_THAT(failure_of(no_whole, type, {}), EndsWith("(TTFT)")) << type;
  // The server's own error message is reported without an added question.
  EXPECT_THAT(failure_of(no_whole, "application/json", {R"({"error": "no"})"}), EndsWith(" no"));
  EXPECT_THAT(failure_of(lines, "application/json",
                         {R"({"response": "a", "done": true, "done_reason": "stop"})"}),
              Not(HasSubstr("Content-Type")));
}

TEST(template_answers, are_read_afresh_by_the_next_request) {
  codec_box box("template", {{"file", template_case::example("sglang.toml")}});
  for (int i = 0; i < 2; ++i) {
    box.open_any();
    transcript heard;
    box.message(heard, R"({"text": "abc", "meta_info": {"finish_reason": {"type": "stop"}}})");
    box.message(heard, "[DONE]");
    box.end(heard);
    EXPECT_THAT(heard.lines, testing::ElementsAre("token 0 answer \"abc\"", "done stop"));
  }
  box.open_any();
  transcript silent;
  box.end(silent);
  EXPECT_THAT(silent.lines, testing::ElementsAre(testing::HasSubstr("TTFT")));
}

TEST(template_answers, with_bad_utf8_are_mended) {
  auto box = chat();
  box.open_any();
  transcript heard;
  box.message(heard,
              "{\"choices\":[{\"delta\":{\"content\":\"a\xFF\xE4\xB8 b\"},"
              "\"finish_reason\":\"\xC3\"}]}");
  box.message(heard, "[DONE]");
  EXPECT_EQ(heard.lines,
            (std::vector<std::string>{"token 0 answer \"a\uFFFD\uFFFD b\"", "done \uFFFD"}));
}

TEST(template_hostile, a_message_cut_at_any_byte_fails_clearly) {
  auto box = chat();
  expect_failures_of_cuts(box, rich_answer);
}

TEST(template_hostile, a_message_with_any_byte_changed_does_not_crash) {
  auto box = chat();
  expect_ends_of_changes(box, rich_answer);
}

TEST(template_hostile, random_bytes_and_random_json_do_not_crash) {
  const inferbench::support::temporary_folder folder;
  codec_box box("template",
                {{"file", folder.write("t.toml",
                                       "[request]\npath = \"/\"\n[request.body]\na = "
                                       "\"{{prompt}}\"\n[stream]\ntext = [\"a\", \"a[0]\", "
                                       "\"[0]\", \"a.a[1].a\"]\ntokens = [\"a\", \"b\"]\n"
                                       "end-member = \"b[2]\"\ncumulative = true\n")}});
  constexpr std::string_view pieces[] = {"{",     "}",       "[",    "]",   ",", ":",       "\"",
                                         "\"a\"", "\"b\"",   "null", "1",   "-", "\\ud83d", "\xF0",
                                         "true",  "{\"a\":", "[[",   "1.5", "0", "\"a\":[", "]}"};
  expect_ends_of_random(box, 20'000, 4, pieces);
}

TEST(template_hostile, nesting_of_any_depth_is_read_or_refused) {
  auto box = chat();
  for (const auto& value :
       {nested("[", "]"), nested("{\"choices\":", "}"), nested("[{\"choices\":", "}]")}) {
    box.open_any();
    transcript heard;
    EXPECT_TRUE(
        box.message(heard, R"({"x":)" + value + R"(,"choices":[{"delta":{"content":"a"}}]})"));
    EXPECT_THAT(heard.lines, testing::ElementsAre("token 0 answer \"a\""));
    box.open_any();
    transcript within;
    (void)box.message(within, R"({"choices":)" + value + "}");
    EXPECT_THAT(within.lines, testing::Each("token 0 answer \"\""));
    box.open_any();
    transcript failed;
    EXPECT_FALSE(box.message(failed, R"({"error":)" + value + "}"));
    EXPECT_THAT(failed.lines, testing::ElementsAre(testing::StartsWith("failed -5 ")));
  }
}

/// Adds a member with a surrogate pair. The fast path cannot read it, so RapidJSON reads the
/// message.
std::string for_rapidjson(std::string_view object) {
  return R"({"zz":"\ud83d\ude00",)" + std::string(object.substr(1));
}

class random_json {
 public:
  std::string object(int depth) {
    std::string out = "{";
    for (auto i = 1 + random_() % 4; i > 0; --i)
      out += quoted_key() + ":" + value(depth) + (i > 1 ? "," : "");
    return out + "}";
  }
  std::size_t draw() { return random_(); }
  /// An object of the same form with other values: digits, texts, sometimes a sign or a literal.
  std::string like(std::string_view object) {
    static constexpr std::string_view texts[] = {"",    "y", "\\u00e9", "\\\"", "\xC3\xA9\xFF",
                                                 "zz z"};
    std::string out;
    for (std::size_t i = 0; i < object.size(); ++i) {
      const char c = object[i];
      const bool key = c == 'x' ? false : object.substr(i + 1).starts_with("\":");
      if (c == 'x')
        out += texts[random_() % std::size(texts)];
      else if (c >= '1' && c <= '9')
        out += static_cast<char>('1' + random_() % 9);
      else if (c == '"' && !key && object.substr(i).starts_with("\"\"") && random_() % 2 == 0)
        out += "\"w";
      else
        out += c;
    }
    return out;
  }

 private:
  std::string quoted_key() { return std::string("\"") + "abct"[random_() % 4] + "\""; }
  std::string value(int depth) {
    static constexpr const char* scalars[] = {"null", "true", "false", "0",       "17", "-3",
                                              "1.5",  "\"\"", "\"x\"", "\"\\n\"", "1e2"};
    const auto kind = random_() % 4;
    if (depth == 0 || kind > 1) return scalars[random_() % std::size(scalars)];
    if (kind == 0) return object(depth - 1);
    std::string out = "[";
    for (auto i = random_() % 4; i > 0; --i)
      out += value(depth - 1) + (i > 1 ? " , " : "");
    return out + "]";
  }

  std::mt19937 random_{3};
};

TEST(template_hostile, the_quick_ways_and_rapidjson_hear_the_same) {
  const inferbench::support::temporary_folder folder;
  const std::string file = folder.write(
      "t.toml",
      "[request]\npath = \"/\"\n[request.body]\na = \"{{prompt}}\"\n[stream]\n"
      "text = [\"t\", \"a.t\", \"b[0]\", \"b[1].a\"]\nreasoning = [\"c\", \"a.c[2]\"]\n"
      "finish-reason = \"b[1].b\"\ntokens = [\"t.a\", \"b\"]\ntoken-ids = \"a.b\"\n"
      "choice = \"a.a\"\nprompt-tokens = \"c.a\"\nspecial = \"a.c\"\n"
      "output-tokens = [\"c.t\", \"b[2]\"]\nend-member = \"c.c\"\n"
      "token-event = [\"t\", \"b[0]\"]\nerror = [\"a.t.b\", \"a.b.a\", \"b.t\"]\n");
  const auto heard_of = [](codec_box& box, const std::string& data) {
    box.open_any();
    counting_transcript heard;
    if (!box.message(heard, data)) return std::vector{heard.lines.back().substr(0, 10)};
    box.end(heard);
    return heard.lines;
  };
  codec_box fully("template", {{"file", file}});
  random_json random;
  std::size_t tokens = 0;
  std::size_t failures = 0;
  for (int i = 0; i < inferbench::support::reduced(4'000); ++i) {
    // A new instance, because an instance learns the common form of the messages of a section.
    codec_box quickly("template", {{"file", file}});
    std::string data = random.object(4);
    if (i % 5 == 0)
      data[1 + random.draw() % (data.size() - 1)] = "{}[]:,\"x1 \\"[random.draw() % 11];
    std::vector<std::string> messages{data, data};
    for (int k = 0; k < 5; ++k)
      messages.push_back(random.like(data));
    std::vector<std::vector<std::string>> quick;
    for (const auto& each : messages)
      quick.push_back(heard_of(quickly, each));
    for (std::size_t k = 0; k < messages.size(); ++k)
      ASSERT_EQ(quick[k], heard_of(fully, for_rapidjson(messages[k]))) << data << "\n"
                                                                       << messages[k];
    tokens += quick.front().front().starts_with("token") ? 1 : 0;
    failures += quick.front().front().starts_with("failed -4") ? 1 : 0;
  }
  EXPECT_GT(tokens, inferbench::support::reduced(500U));
  EXPECT_GT(failures, inferbench::support::reduced(200U));
}

TEST(template_hostile, a_text_of_megabytes_comes_whole) {
  auto box = chat();
  expect_megabytes_whole(box, R"({"choices":[{"delta":{"content":")", R"("}}]})");
}

TEST(template_hostile, a_zero_byte_is_not_an_end) {
  auto box = chat();
  expect_failures_of_zero_bytes(box);
}

}  // namespace
}  // namespace backends

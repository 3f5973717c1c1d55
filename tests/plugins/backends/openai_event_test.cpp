// Compares the fast paths that read an event with RapidJSON: if a fast path has a result, it must
// be the same.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "backends/bodies/json.hpp"
#include "backends/bodies/rapidjson.hpp"
#include "backends/openai_family/event.hpp"
#include "backends/openai_family/scan.hpp"
#include "support/sanitizer.hpp"
// Must come after backends/bodies/rapidjson.hpp, which sets RapidJSON's macros.
#include <rapidjson/document.h>

namespace openai {

bool operator==(const usage& a, const usage& b) {
  return a.prompt == b.prompt && a.cached == b.cached && a.output == b.output &&
         a.reasoning == b.reasoning;
}
bool operator==(const event& a, const event& b) {
  return a.has_choice == b.has_choice && a.choice == b.choice && a.text == b.text &&
         a.content == b.content && a.reasoning == b.reasoning && a.tool_call == b.tool_call &&
         a.finish_reason == b.finish_reason && a.usage == b.usage;
}

namespace {

// Events in the layouts of the servers, and events with rare members that must be read, too.
constexpr std::string_view usual[] = {
    R"({"id":"cmpl-1","object":"text_completion","created":1700000000,"model":"m","choices":[{"index":0,"text":" token","logprobs":null,"finish_reason":null,"stop_reason":null}],"usage":null})",
    R"({"id": "cmpl-1", "object": "text_completion", "choices": [{"index": 1, "text": "\u00e9\n", "logprobs": {"tokens": [" a"], "token_logprobs": [-0.25, 1.5e-05], "top_logprobs": [{" a": -0}]}, "finish_reason": "length"}]})",
    R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"prompt_token_ids":null})",
    "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\" "
    "\xE4\xB8\xAD\xC3\"},\"finish_reason\":null}],"
    R"("usage":{"prompt_tokens":7,"total_tokens":9,"completion_tokens":2}})",
    R"({"id":"c","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":4294967296,"total_tokens":18,"completion_tokens":11,"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":3}}})",
    R"({"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Hi"}}],"created":1752000000,"id":"chatcmpl-x","model":"gpt-3.5-turbo","system_fingerprint":"b5000-abc","object":"chat.completion.chunk"})",
    R"({"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1752000000,"timings":{"prompt_n":1,"prompt_ms":21.5,"predicted_per_second":1.0E+2},"usage":{"completion_tokens":5,"prompt_tokens":-1}})",
    R"({"id":"7f","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":"a","logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":{"prompt_tokens":5,"completion_tokens":1}})",
    R"({"id":"7f","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":null,"content":null,"reasoning_content":"well","tool_calls":null},"logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":null})",
    R"({"choices":[{"delta":{"reasoning":"x","reasoning_content":"x","tool_calls":[{"index":0,"id":"1","function":{"name":"get","arguments":"{\"a\":1}"}},"no",[1]]}},[],7,{"usage":{"completion_tokens":2}}]})",
    R"({"choices":[{"text":"a","x":[[],{},[{"y":[true,false,null]}]]}],"error":null,"object":"x"})",
    R"({"object":"error","message":"no","error":{"code":400,"x":["]}"]},"choices":["a"]})",
    "{\n  \"choices\": [\n    {\"index\": 0,\r\n\t\"text\": \"all\" } ] , \"usage\" : { } , \"e\" "
    ": \"\\/\\b\\u20AC\" }",
};

/// Holds a text in memory of its exact size, so that a sanitizer detects a read past the end.
class exact {
 public:
  explicit exact(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    std::memcpy(bytes_.get(), text.data(), size_);
  }
  [[nodiscard]] std::string_view text() const { return {bytes_.get(), size_}; }
  char& operator[](std::size_t i) { return bytes_[i]; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

std::string shown(std::string_view data) { return bodies::quoted(data); }

class comparison {
 public:
  void check(std::string_view raw) {
    const std::string_view data = ifb::trim(raw);
    if (data.empty()) return;
    event expected;
    const verdict right = full_.read_fully(data, expected);
    event found;
    const auto said = quick_.read_quickly(data, found);
    if (said) ++answered;
    if (said) expect(*said == right && same(quick_, right, found, expected), data);
    const verdict whole = any_.read(data, found);
    expect(whole == right && same(any_, right, found, expected), data);
  }
  /// Reads the event `before` first, then checks `data`, which differs from it in a few bytes.
  void check(std::string_view before, std::string_view data) {
    event ignored;
    std::ignore = any_.read(before, ignored);
    check(data);
  }

  std::size_t answered = 0;  // number of events that the fast path read

 private:
  bool same(const event_reader& reader, verdict v, const event& found, const event& expected) {
    if (v == verdict::read)
      return found == expected && (found.tool_call.empty() || same_calls(reader, full_));
    return v == verdict::nothing || reader.trouble() == full_.trouble();
  }
  static bool same_calls(const event_reader& a, const event_reader& b) {
    return std::ranges::equal(a.calls(), b.calls(), [](const call_part& x, const call_part& y) {
      return x.index == y.index && x.name == y.name && x.arguments == y.arguments;
    });
  }
  static void expect(bool good, std::string_view data) {
    if (!good) ADD_FAILURE() << shown(data);
  }

  event_reader full_;
  event_reader quick_;
  event_reader any_;
};

TEST(openai_event, of_the_usual_kinds_is_read_quickly_and_as_RapidJSON_reads_it) {
  comparison both;
  for (const auto data : usual)
    both.check(exact(data).text());
  EXPECT_EQ(both.answered, std::size(usual));
}

TEST(openai_event, of_any_transcript_is_read_as_RapidJSON_reads_it) {
  std::ifstream file(INFERBENCH_FIXTURES "/backends/openai_transcripts.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  // A MemoryStream is used, because with the plugin's macros RapidJSON reads past the end of a
  // string.
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Document cases;
  cases.ParseStream(stream);
  ASSERT_TRUE(cases.IsArray());
  comparison both;
  for (const auto& c : cases.GetArray()) {
    for (const auto& m : c["messages"].GetArray()) {
      rapidjson::StringBuffer out;
      rapidjson::Writer<rapidjson::StringBuffer> writer(out);
      m.Accept(writer);
      const std::string_view written(out.GetString(), out.GetSize());
      both.check(exact(m.IsString() ? std::string_view(m.GetString()) : written).text());
    }
  }
  EXPECT_GT(both.answered, 40U);
}

TEST(openai_event, cut_at_any_byte_is_read_as_RapidJSON_reads_it) {
  comparison both;
  for (const auto data : usual) {
    for (std::size_t size = 0; size <= data.size(); ++size) {
      both.check(data, exact(data.substr(0, size)).text());
      both.check(data, exact(data.substr(size)).text());
      // The fast path stops early if the last byte is not a brace.
      both.check(data, exact(std::string(data.substr(0, size)) + "}").text());
      both.check(data, exact(std::string(data.substr(0, size)) + "}]}").text());
    }
  }
}

TEST(openai_event, with_any_byte_changed_is_read_as_RapidJSON_reads_it) {
  comparison both;
  // With a sanitizer the bytes of one position are a part of all bytes, and those of the next
  // position another part.
  constexpr unsigned parts = 256 / inferbench::support::reduced(256U);
  for (const auto data : usual) {
    exact copy(data);
    for (std::size_t at = 0; at < data.size(); ++at) {
      for (unsigned byte = static_cast<unsigned>(at) % parts; byte < 256; byte += parts) {
        copy[at] = static_cast<char>(byte);
        both.check(data, copy.text());
      }
      copy[at] = data[at];
    }
  }
  EXPECT_GT(both.answered, inferbench::support::reduced(200'000U));
}

TEST(openai_event, spliced_at_random_is_read_as_RapidJSON_reads_it) {
  constexpr std::string_view pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"",
                                         "\"a\":",
                                         "null",
                                         "true",
                                         "-",
                                         "0",
                                         "12",
                                         "1.5e3",
                                         "1e999",
                                         ".",
                                         "\\",
                                         "\\u00e9",
                                         "\\n",
                                         "\\ud83d",
                                         "\\u12",
                                         "\\udc00",
                                         "\xF0",
                                         "\x1F",
                                         " ",
                                         "\n",
                                         "[[]]",
                                         "\"text\":",
                                         "[1,]",
                                         "{\"a\":1}",
                                         "\"usage\":",
                                         "error",
                                         "\"index\":",
                                         "1234567890123456789",
                                         "\"content\":\"x\",",
                                         "}]}",
                                         "\"choices\":[{",
                                         "\"\""};
  comparison both;
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int i = 0; i < inferbench::support::reduced(100'000); ++i) {
    const auto first = usual[below(std::size(usual))];
    const auto second = below(2) == 0 ? first : usual[below(std::size(usual))];
    std::string data(first.substr(0, below(first.size() + 1)));
    for (std::size_t k = below(3); k != 0; --k)
      data += pieces[below(std::size(pieces))];
    // The second part usually begins near the position of the cut, so that the result may be JSON.
    const std::size_t from = first == second ? data.size() + below(12) : below(second.size());
    data += second.substr(std::min(from > 6 ? from - 6 : 0, second.size()));
    both.check(first, exact(data).text());
  }
  EXPECT_GT(both.answered, inferbench::support::reduced(1'000U));
}

TEST(openai_event, with_another_text_is_read_as_RapidJSON_reads_it) {
  constexpr std::string_view shapes[] = {
      R"({"index":0,"choices":[{"text":"a","logprobs":null}],"usage":{"prompt_tokens":2}})",
      R"({"index":0,"choices":[{"index":1,"delta":{"content":"a","content":"b"}}]})",
      R"({"index":0,"choices":[{"delta":{"content":"a","reasoning":""}}],"object":"a"})",
      R"({"index":0,"choices":[{"delta":{"reasoning":"a","reasoning_content":"b"}}]})",
      R"({"index":0,"choices":[{"delta":{"reasoning":"","reasoning_content":"b"}}]})",
      R"({"index":0,"choices":[{"text":"a","finish_reason":"a"}]})",
      R"({"choices":[{"text":"a"}]})",
      R"({"model":"not wanted","choices":[{"text":"a","delta":{"content":"a"}}]})"};
  constexpr std::string_view pieces[] = {
      "a",    " ",       "\\n",          "\\\"",
      "\"",   "\\",      "\xE4\xB8\xAD", "\xC3",
      "\x1F", "\\ud800", "{}",           "text longer than a window"};
  comparison both;
  std::mt19937 random(3);
  for (const auto shape : shapes) {
    for (std::size_t at = shape.find("\"a\""); at != shape.npos; at = shape.find("\"a\"", at + 1)) {
      for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (std::size_t k = random() % 4; k != 0; --k)
          text += pieces[random() % std::size(pieces)];
        const std::string data =
            std::string(shape.substr(0, at + 1)) + text + std::string(shape.substr(at + 2));
        both.check(shape, exact(data).text());
      }
    }
  }
}

TEST(openai_event, of_many_answers_by_turns_is_read_as_RapidJSON_reads_it) {
  comparison both;
  for (int i = 0; i < 1000; ++i) {
    // Sometimes change a member that was the same in all earlier events.
    const std::string id = i % 50 == 7 ? R"(a\"\u00e9)" : std::to_string(i);
    const std::string head =
        R"({"id":"cmpl-)" + id + R"(","object":"text_completion","created":1700000)" +
        std::to_string(i / 90) + R"(,"model":")" + (i % 200 == 199 ? "other" : "m");
    both.check(exact(head + R"(","choices":[{"index":0,"text":" t)" + std::to_string(i % 7) +
                     R"(","logprobs":null,"finish_reason":"length"}]})")
                   .text());
    both.check(exact(head + R"(","choices":[],"usage":{"prompt_tokens":)" + std::to_string(i) +
                     R"(,"total_tokens":9,"completion_tokens":)" + (i % 120 == 119 ? "-1" : "1") +
                     "}}")
                   .text());
  }
}

TEST(openai_event, may_nest_and_count_as_far_as_it_likes) {
  comparison both;
  for (std::size_t depth = 1; depth < 200; ++depth) {
    std::string lists = R"({"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    both.check(exact(lists).text());
    for (const std::size_t at : {lists.size() / 2 + 2, lists.size() - 2}) {
      std::string wrong = lists;
      wrong[at] = '}';
      both.check(exact(wrong).text());
    }
  }
  const auto counted = both.answered;
  for (std::size_t digits = 1; digits < 400; ++digits) {
    for (const char* form : {"", "-", "0.", "1e", "-1E-", "0"}) {
      const std::string number = form + std::string(digits, '9');
      both.check(
          exact(R"({"x": )" + number + R"( , "choices":[{"index":)" + number + "}]}").text());
      both.check(exact(R"({"usage":{"prompt_tokens": )" + number + "}}").text());
      both.check(exact(R"({"unknown member":[)" + number + "]}").text());
    }
  }
  EXPECT_GT(both.answered, counted + 100);
}

TEST(openai_event, keeps_valid_bytes_beside_invalid_bytes_at_any_position) {
  std::string scratch;
  for (std::size_t size = 1; size < 40; ++size) {
    const std::string good(size, 'x');
    EXPECT_EQ(bodies::valid_utf8(exact(good).text(), scratch), good);
    for (std::size_t at = 0; at < size; ++at) {
      std::string bad = good;
      bad[at] = '\xFF';
      std::string mended = good;
      mended.replace(at, 1, "\xEF\xBF\xBD");
      EXPECT_EQ(bodies::valid_utf8(exact(bad).text(), scratch), mended);
    }
  }
}

TEST(openai_json, escapes_special_characters_at_any_position) {
  const std::string_view odd[] = {"\"",   "\\",       "\n",   "\x01",
                                  "\x7F", "\xC3\xA9", "\n\"", "\xC3\xA9\t"};
  for (const std::string_view one : odd)
    for (std::size_t at = 0; at <= 20; ++at)
      for (std::size_t again = at; again <= 20; ++again) {
        std::string text(20, 'x');
        text.insert(again, one).insert(at, one);
        const std::string json = bodies::quoted(text);
        EXPECT_EQ(bodies::string_value(json), text) << json;
        EXPECT_EQ(bodies::measure(text).unchanged, json.size() == text.size() + 2) << json;
      }
}

TEST(openai_event, ends_its_strings_where_they_end) {
  std::mt19937 random(2);
  for (std::size_t size = reading::window; size < 3 * reading::window; ++size) {
    for (int i = 0; i < 2000; ++i) {
      exact text(std::string(size, 'x'));
      for (std::size_t k = random() % 3; k != 0; --k)
        text[random() % size] = static_cast<char>(random());
      const char* const end = text.text().data() + size;
      const char* const from = end - random() % (size + 1);
      EXPECT_EQ(reading::plain_end(from, end), reading::plain_end_by_bytes(from, end))
          << shown(text.text());
    }
  }
}

}  // namespace
}  // namespace openai

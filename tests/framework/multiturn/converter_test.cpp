#include "multiturn/converter.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::multiturn {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// "human: Hi|gpt: Hello" as turns.
sharegpt_entry entry(std::string id, const std::string& talk) {
  sharegpt_entry out{std::move(id), {}};
  for (const std::string_view turn : base::split(talk, '|')) {
    const std::size_t at = turn.find(": ");
    out.turns.push_back({std::string(turn.substr(0, at)), std::string(turn.substr(at + 2))});
  }
  return out;
}

/// "user: Hi|assistant: Hello"
std::string talk_of(const chat& of) {
  std::string out;
  for (const chat_message& each : of.messages)
    out += (out.empty() ? "" : "|") + each.role + ": " + each.content;
  return out;
}

std::string only(std::vector<sharegpt_entry> entries, const converter_options& wanted = {}) {
  const auto found = convert(std::move(entries), wanted);
  EXPECT_THAT(found, SizeIs(1));
  return talk_of(found.front());
}

std::string refusal_of(std::vector<sharegpt_entry> entries, const converter_options& wanted = {}) {
  try {
    std::ignore = convert(std::move(entries), wanted);
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

// python3 -c 'import random; r = random.Random(7); l = [str(i) for i in range(8)]; r.shuffle(l);
// print(l, r.sample(l, 3))'; likewise with 200, 6 and the seed 0
TEST(converter, order_and_choice_are_those_of_python) {
  const auto ids = [](std::size_t n, converter_options wanted) {
    std::vector<sharegpt_entry> entries;
    for (std::size_t i = 0; i < n; ++i)
      entries.push_back(entry(std::to_string(i) + "_0", "human: a|gpt: b"));
    std::vector<std::string> out;
    for (const chat& each : convert(std::move(entries), wanted))
      out.push_back(each.id);
    return out;
  };
  converter_options wanted;
  wanted.seed = 7;
  EXPECT_THAT(ids(8, wanted), ElementsAre("6", "7", "2", "4", "0", "3", "1", "5"));
  wanted.max_items = 3;
  EXPECT_THAT(ids(8, wanted), ElementsAre("3", "0", "6"));
  wanted.seed = 0;
  wanted.max_items = 6;
  EXPECT_THAT(ids(200, wanted), ElementsAre("10", "153", "84", "59", "188", "57"));
  wanted.max_items = 300;
  EXPECT_THAT(ids(200, wanted), SizeIs(200));
}

TEST(converter, parts_are_joined_by_their_numbers_without_the_repeated_message) {
  EXPECT_EQ(only({entry("x_12", "gpt: 3|human: 4|gpt: 5"), entry("x_0", "human: 1|gpt: 2"),
                  entry("x_2", "gpt: 2 again|human: 2b|gpt: 2c")}),
            "user: 1|assistant: 2|user: 2b|assistant: 2c|user: 4|assistant: 5");
}

TEST(converter, all_names_of_speakers_are_known) {
  EXPECT_EQ(only({entry("x_0",
                        "user: a|bing: b|human: c|chatgpt: d|user: e|bard: f|user: g|gpt: "
                        "h")}),
            "user: a|assistant: b|user: c|assistant: d|user: e|assistant: f|user: g|assistant: h");
  EXPECT_THAT(refusal_of({entry("x_0", "human: a|robot: b")}), HasSubstr("unknown speaker"));
}

TEST(converter, a_first_message_that_is_not_of_the_user_is_dropped) {
  EXPECT_EQ(only({entry("x_0", "system: be kind|human: a|gpt: b")}), "user: a|assistant: b");
  converter_options wanted;
  wanted.max_turns = 3;
  EXPECT_EQ(only({entry("x_0", "gpt: 0|human: a|gpt: b|human: c")}, wanted), "user: a|assistant: b")
      << "the dropped message counts";
}

TEST(converter, conversations_that_break_a_limit_are_left_out) {
  const std::vector<sharegpt_entry> two{entry("a_0", "human: long text|gpt: long text"),
                                        entry("b_0", "human: hi|gpt: ho")};
  converter_options wanted;
  wanted.min_content = 3;
  EXPECT_EQ(only(two, wanted), "user: long text|assistant: long text");
  wanted = {};
  wanted.max_content = 3;
  EXPECT_EQ(only(two, wanted), "user: hi|assistant: ho");
  wanted = {};
  wanted.min_turns = 3;
  EXPECT_THAT(refusal_of(two, wanted), HasSubstr("no conversation is left"));
  EXPECT_THAT(refusal_of({entry("a_0", "human: a|human: b")}),
              HasSubstr("no conversation is left"));
}

TEST(converter, lengths_are_characters_and_not_bytes) {
  converter_options wanted;
  wanted.max_content = 2;
  EXPECT_EQ(only({entry("a_0", "human: äö|gpt: ok")}, wanted), "user: äö|assistant: ok");
}

TEST(converter, the_filter_of_characters_is_off_unless_it_is_wanted) {
  const std::vector<sharegpt_entry> two{entry("a_0", "human: ä|gpt: ö"),
                                        entry("b_0", "human: a|gpt: o")};
  EXPECT_THAT(convert(two, {}), SizeIs(2));
  converter_options wanted;
  wanted.filter = message_filter::non_ascii;
  EXPECT_EQ(only(two, wanted), "user: ä|assistant: ö");
  wanted.filter = message_filter::ascii;
  EXPECT_EQ(only(two, wanted), "user: a|assistant: o");
}

TEST(converter, ids_of_another_form_are_refused) {
  for (const char* id : {"x", "x_y", "x_1_2", "_", ""})
    EXPECT_THAT(refusal_of({entry(id, "human: a|gpt: b")}), HasSubstr("the id")) << id;
}

TEST(converter, the_first_entry_that_cannot_be_used_is_named_with_the_number_of_such_entries) {
  std::vector<sharegpt_entry> entries;
  for (std::size_t i = 0; i < 20; ++i) {
    entries.push_back(entry(std::to_string(i) + "_0", i == 3 ? "robot: a|gpt: b" : "human: a"));
    entries.back().number = i + 1;
  }
  converter_options wanted;
  wanted.input = "in.json";
  EXPECT_EQ(refusal_of(entries, wanted),
            "in.json: entry 4: the conversation \"3_0\" has the unknown speaker \"robot\"");
  entries[9].id = "no number";
  EXPECT_THAT(refusal_of(entries, wanted),
              AllOf(HasSubstr("entry 4: "),
                    HasSubstr("; 2 entries have such an id or an unknown speaker")));
}

TEST(converter, the_file_is_json_with_two_blanks_and_its_characters) {
  const std::string text = chats_text({{"x", {{"user", "\"ä\\\n\x01\t"}, {"assistant", "b"}}}});
  EXPECT_EQ(text,
            "[\n  {\n    \"id\": \"x\",\n    \"messages\": [\n      {\n"
            "        \"role\": \"user\",\n        \"content\": \"\\\"ä\\\\\\n\\u0001\\t\"\n"
            "      },\n      {\n        \"role\": \"assistant\",\n        \"content\": \"b\"\n"
            "      }\n    ]\n  }\n]");
  EXPECT_EQ(base::parse_json(text, "out")[0]["messages"][0]["content"].GetStringLength(), 7U);
}

TEST(converter, statistics_count_messages_and_characters) {
  EXPECT_THAT(chat_statistics({{"x", {{"user", "abc"}, {"assistant", "a"}}},
                               {"y", {{"user", "ä"}, {"assistant", "a"}, {"user", "abcd"}}}}),
              ElementsAre("conversations: 2",
                          "messages of a conversation: mean 2.50, min 2, median 2.5, max 3",
                          "characters of a message: mean 2.00, min 1, median 1.0, max 4"));
}

TEST(sharegpt_entries, another_form_is_refused_with_the_entry) {
  const auto why = [](std::string_view text) -> std::string {
    try {
      std::ignore = parse_sharegpt(text, "f.json");
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_THAT(why("{"), HasSubstr("f.json:1"));
  EXPECT_THAT(why("{}"), HasSubstr("not a list"));
  EXPECT_THAT(why("[1]"), HasSubstr("entry 1: no \"id\""));
  EXPECT_THAT(why(R"([{"id": "a_0"}])"), HasSubstr("no \"conversations\""));
  EXPECT_THAT(why(R"([{"id": "a_0", "conversations": [{"from": "human", "value": 3}]}])"),
              HasSubstr("no \"value\""));
  EXPECT_EQ(why(R"([{"id": "a_0", "conversations": []}])"), "");
}

TEST(sharegpt_entries, of_another_form_are_left_out_and_counted) {
  const sharegpt_file found = parse_sharegpt(
      R"([{"id": "a_0", "conversations": []}, 7, {"id": "b_0"}, {"id": "c_0", "conversations": []}])",
      "f.json");
  ASSERT_THAT(found.entries, SizeIs(2));
  EXPECT_EQ(found.entries[1].id, "c_0");
  EXPECT_EQ(found.entries[1].number, 4U);
  EXPECT_EQ(found.left_out, 2U);
  EXPECT_EQ(found.first_fault, "f.json: entry 2: no \"id\" that is a text");
}

TEST(converter, entries_that_are_left_out_are_told) {
  const support::temporary_folder files;
  converter_options wanted;
  wanted.input = files.path("in.json");
  wanted.output = files.path("out.json");
  std::ofstream(wanted.input) << R"([3, {"id": "a_0", "conversations": [{"from": "human",
                                    "value": "hi"}, {"from": "gpt", "value": "ho"}]}])";
  const auto lines = convert_file(wanted);
  EXPECT_THAT(lines, Contains("entries left out, which have another form: 1; the first: " +
                              wanted.input + ": entry 1: no \"id\" that is a text"));
  EXPECT_THAT(base::read_file(wanted.output), HasSubstr("\"content\": \"ho\""));
}

TEST(converter, files_are_read_and_written) {
  const support::temporary_folder files;
  const std::string in = files.path("in.json");
  std::ofstream(in) << R"([{"id": "a_0", "conversations": [{"from": "human", "value": "hi"},
                           {"from": "gpt", "value": "ho"}]}])";
  converter_options wanted;
  wanted.input = in;
  wanted.output = files.path("out.json");
  EXPECT_THAT(convert_file(wanted).back(), "Saved: " + wanted.output);
  EXPECT_THAT(base::read_file(wanted.output), HasSubstr("\"content\": \"ho\""));
}

TEST(converter_options, files_and_flags_may_be_mixed) {
  const std::vector<std::string> args{
      "--seed", "3", "in.json", "--max-items=5", "out.json", "--message-filter", "ascii"};
  const converter_options o = read_converter_options(args);
  EXPECT_EQ(o.input, "in.json");
  EXPECT_EQ(o.output, "out.json");
  EXPECT_EQ(o.seed, 3U);
  EXPECT_EQ(o.max_items, 5);
  EXPECT_EQ(o.filter, message_filter::ascii);
  const std::vector<std::string> one{"in.json"};
  EXPECT_THROW(std::ignore = read_converter_options(one), base::error);
  const std::vector<std::string> odd{"a", "b", "--message-filter", "all"};
  EXPECT_THROW(std::ignore = read_converter_options(odd), base::error);
}

TEST(converter_options, the_input_is_not_replaced_by_the_output) {
  const support::temporary_folder files;
  const std::string input = files.write("in.json", "[]");
  for (const std::string& same : {input, files.path("./in.json"), files.path("no/../in.json")}) {
    const std::vector<std::string> args{input, same};
    EXPECT_THROW(std::ignore = read_converter_options(args), options::usage_error) << same;
  }
  const std::vector<std::string> two{input, files.path("out.json")};
  EXPECT_EQ(read_converter_options(two).output, files.path("out.json"));
}

TEST(converter_options, a_minimum_above_its_maximum_is_refused) {
  const auto refusal = [](const std::vector<std::string>& flags) -> std::string {
    std::vector<std::string> args{"a", "b"};
    args.insert(args.end(), flags.begin(), flags.end());
    try {
      std::ignore = read_converter_options(args);
    } catch (const options::usage_error& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_EQ(refusal({"--max-content-len", "4", "--min-content-len", "5"}),
            "--min-content-len: 5 is above --max-content-len, 4; give a minimum that is at most "
            "the maximum");
  EXPECT_EQ(refusal({"--max-content-len", "4", "--min-content-len", "4"}), "");
  EXPECT_EQ(refusal({"--min-turns", "8", "--max-turns", "4"}), "")
      << "--min-turns counts before --max-turns cuts";
}

}  // namespace
}  // namespace inferbench::multiturn

#include "scorers/common/json_text.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "plugins/scorers/scored_record.hpp"

namespace scorers {
namespace {

std::string found(std::string_view text) {
  const auto json = find_json(text);
  return json ? std::string(*json) : "nothing";
}

TEST(json_in_an_answer, is_the_whole_answer_if_that_is_JSON) {
  EXPECT_EQ(found(R"( {"a": "b  c"}  )"), R"({"a": "b  c"})");
  EXPECT_EQ(found("[{\"a\": 1},\n {\"a\": 2}]\n"), "[{\"a\": 1},\n {\"a\": 2}]");
  EXPECT_EQ(found("42"), "42");
  EXPECT_EQ(found(R"("a ```[1]``` b")"), R"("a ```[1]``` b")");
  EXPECT_EQ(found("null"), "null");
}

TEST(json_in_an_answer, may_stand_in_a_fence) {
  EXPECT_EQ(found("Here it is:\n```json\n{\"a\": 1}\n```\nGood luck!"), "{\"a\": 1}");
  EXPECT_EQ(found("```\n[1]\n```"), "[1]");
  EXPECT_EQ(found("```JSON5_x-+\n7\n```"), "nothing");  // a digit is not a part of the word
  EXPECT_EQ(found("```python\nprint({})\n```\n```json\n{\"b\": 2}\n```"), "{\"b\": 2}");
  EXPECT_EQ(found("```json\n{\"a\": 1}"), "{\"a\": 1}");
  EXPECT_EQ(found("```json\n{\"a\": 1"), "nothing");
  EXPECT_EQ(found("```"), "nothing");
  EXPECT_EQ(found("``````"), "nothing");
}

TEST(json_in_an_answer, may_stand_in_other_text) {
  EXPECT_EQ(found("The answer is {\"a\": [1, 2]}, of course."), "{\"a\": [1, 2]}");
  EXPECT_EQ(found("Look [here] and {there}: {\"a\": 1} or [1]."), "{\"a\": 1}");
  EXPECT_EQ(found("[1] is too short, {\"a\": 1} is not"), "{\"a\": 1}");
  EXPECT_EQ(found("{\"a\": 1}{\"b\": 2}"), "{\"a\": 1}");
  EXPECT_EQ(found("\\frac{1}{2} [1, 2) ] {\"a\": 1}"), "{\"a\": 1}");
  EXPECT_EQ(found("yes: 5"), "nothing");
}

TEST(json_in_an_answer, is_not_a_part_of_a_value_that_is_cut_or_wrong) {
  EXPECT_EQ(found("[{\"a\": 1}, {\"a\": 2}, {\"a\""), "nothing");
  EXPECT_EQ(found("{\"a\": {\"b\": 1}"), "nothing");
  EXPECT_EQ(found("{\"a\": tru, \"b\": {\"c\": 1}}"), "nothing");
  EXPECT_EQ(found("{\"x\": 1} and [{\"a\": 1}, "), "{\"x\": 1}");
}

TEST(json_in_an_answer, is_not_there_if_the_answer_is_cut_or_wrong) {
  for (const char* const text : {"", " ", "{", "[", "{\"a\": ", "{'a': 1}", "{\"a\": tru", "[1,]x",
                                 "{\"a\" 1}", "]", "}{", "\"half", "{\"a\": 01}", "\xEF\xBB\xBF"})
    EXPECT_EQ(found(text), "nothing") << text;
}

TEST(json_in_an_answer, has_valid_UTF_8_and_no_constants_of_Python) {
  EXPECT_EQ(found("{\"a\": \"\xFF\"}"), "nothing");
  EXPECT_EQ(found("{\"a\": \"\xED\xA0\x80\"}"), "nothing");
  EXPECT_EQ(found("{\"a\": NaN}"), "nothing");
  EXPECT_EQ(found(std::string("{\"a\": 1}\0x", 10)), "{\"a\": 1}");
  EXPECT_FALSE(measure_json("[Infinity]").has_value());
  EXPECT_TRUE(measure_json("[Infinity, -Infinity, NaN]", json_dialect::python).has_value());
}

TEST(json_in_an_answer, is_not_nested_deeper_than_the_limit) {
  const auto nested = [](std::size_t depth) { return repeated("[", depth) + repeated("]", depth); };
  const auto size = measure_json(nested(deepest));
  ASSERT_TRUE(size);
  EXPECT_EQ(size->depth, deepest);
  EXPECT_EQ(size->values, deepest);
  EXPECT_FALSE(measure_json(nested(deepest + 1)));
  EXPECT_EQ(found("so: " + nested(deepest)), nested(deepest));
  EXPECT_EQ(found("so: " + nested(deepest + 1)), "nothing");
}

TEST(json_in_an_answer, is_searched_in_linear_time) {
  constexpr std::size_t many = 100'000;
  EXPECT_EQ(found(repeated("[", many)), "nothing");
  EXPECT_EQ(found(repeated("{\"a\":", many)), "nothing");
  EXPECT_EQ(found(repeated("[\"", many)), "nothing");
  EXPECT_EQ(found("x" + repeated("[\"]", many)), "[\"][\"]");
  EXPECT_EQ(found(repeated("[x]", many)), "nothing");
  EXPECT_EQ(found(repeated("```", many)), "nothing");
  EXPECT_EQ(found(repeated("```[", many)), "nothing");
  EXPECT_EQ(found("x" + repeated("{}", many)), "{}");
  const std::string large = "{\"a\": \"" + repeated("x", 2'000'000) + "\"}";
  EXPECT_EQ(found("so: " + large).size(), large.size());
}

}  // namespace
}  // namespace scorers

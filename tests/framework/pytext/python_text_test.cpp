#include "pytext/python_text.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"
#include "pytext/python_json.hpp"

namespace inferbench::pytext {
namespace {

std::string text_in_python(const std::string& json) {
  return python_text(read_json_node(json, "value.json"));
}

std::string repr_in_python(const std::string& json) {
  const std::string out = python_repr(read_json_node(json, "value.json"));
  const ifb::json_document result = read_json_document(json, "value.json");
  EXPECT_EQ(python_repr(static_cast<const ifb::json_value&>(result)), out) << json;
  return out;
}

TEST(python_text, scalars_have_the_text_of_python) {
  EXPECT_EQ(text_in_python("\"as it is\\n'\""), "as it is\n'");
  EXPECT_EQ(text_in_python("true"), "True");
  EXPECT_EQ(text_in_python("false"), "False");
  EXPECT_EQ(text_in_python("null"), "None");
  EXPECT_EQ(text_in_python("16"), "16");
  EXPECT_EQ(text_in_python("-0"), "0");
}

TEST(python_text, floats_are_the_shortest_text_that_reads_back) {
  EXPECT_EQ(text_in_python("0.7"), "0.7");
  EXPECT_EQ(text_in_python("1e-05"), "1e-05");
  EXPECT_EQ(text_in_python("0.0001"), "0.0001");
  EXPECT_EQ(text_in_python("1e16"), "1e+16");
  EXPECT_EQ(text_in_python("1e15"), "1000000000000000.0");
  EXPECT_EQ(text_in_python("2.0"), "2.0");
  EXPECT_EQ(text_in_python("2e0"), "2.0");
  EXPECT_EQ(text_in_python("-0.0"), "-0.0");
  EXPECT_EQ(text_in_python("0.1"), "0.1");
  EXPECT_EQ(text_in_python("5e-324"), "5e-324");
  EXPECT_EQ(text_in_python("1.7976931348623157e308"), "1.7976931348623157e+308");
  EXPECT_EQ(text_in_python("Infinity"), "inf");
  EXPECT_EQ(text_in_python("-Infinity"), "-inf");
  EXPECT_EQ(text_in_python("NaN"), "nan");
}

TEST(python_text, whole_numbers_keep_all_digits) {
  EXPECT_EQ(text_in_python("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(text_in_python("-9223372036854775809"), "-9223372036854775809");
  EXPECT_EQ(text_in_python("18446744073709551616"), "18446744073709551616");
  const std::string googol = "1" + std::string(100, '0');
  EXPECT_EQ(text_in_python(googol), googol);
}

TEST(python_text, lists_and_objects_contain_the_quoted_form) {
  EXPECT_EQ(text_in_python(R"([1, "a", true])"), "[1, 'a', True]");
  EXPECT_EQ(text_in_python(R"({"k": 1})"), "{'k': 1}");
  EXPECT_EQ(text_in_python(R"(["a", "b"])"), "['a', 'b']");
  EXPECT_EQ(text_in_python("[1, 2]"), "[1, 2]");
  EXPECT_EQ(text_in_python("[]"), "[]");
  EXPECT_EQ(text_in_python("{}"), "{}");
  EXPECT_EQ(text_in_python(R"({"a": [[], {}, null, {"b": [1.5]}], "c": "d"})"),
            "{'a': [[], {}, None, {'b': [1.5]}], 'c': 'd'}");
}

TEST(python_text, the_text_of_a_result_is_that_of_a_parameter) {
  const ifb::json_document all = read_json_document(R"(["x", 2.0, {"k": ["v"]}])", "value.json");
  EXPECT_EQ(python_text(all[0]), "x");
  EXPECT_EQ(python_text(all[1]), "2.0");
  EXPECT_EQ(python_text(all[2]), "{'k': ['v']}");
}

TEST(python_repr, a_text_with_a_single_quote_only_is_in_double_quotes) {
  EXPECT_EQ(repr_in_python(R"("plain")"), "'plain'");
  EXPECT_EQ(repr_in_python(R"("it's")"), R"("it's")");
  EXPECT_EQ(repr_in_python(R"("say \"hi\"")"), R"('say "hi"')");
  EXPECT_EQ(repr_in_python(R"("it's \"so\"")"), R"('it\'s "so"')");
}

TEST(python_repr, characters_that_cannot_be_printed_are_escaped) {
  EXPECT_EQ(repr_in_python(R"("a\nb\rc\td\\e")"), R"('a\nb\rc\td\\e')");
  EXPECT_EQ(repr_in_python(R"("\u0001\u001b\u007f")"), R"('\x01\x1b\x7f')");
  EXPECT_EQ(repr_in_python(R"("\b\f")"), R"('\x08\x0c')");
  EXPECT_EQ(repr_in_python(R"("\u0080\u00a0\u00ad")"), R"('\x80\xa0\xad')");
  EXPECT_EQ(repr_in_python(R"("\u200b\u2028\u202f\u3000\ufeff\ue000\ufdd0\uffff")"),
            R"('\u200b\u2028\u202f\u3000\ufeff\ue000\ufdd0\uffff')");
  EXPECT_EQ(repr_in_python(R"("\udb40\udc01")"), R"('\U000e0001')");
}

TEST(python_repr, other_characters_are_printed) {
  EXPECT_EQ(repr_in_python(R"("\u00e9\u00a1\u20ac\ud83d\ude00")"),
            "'\u00e9\u00a1\u20ac\U0001F600'");
}

TEST(python_repr, invalid_bytes_become_the_replacement_character) {
  EXPECT_EQ(python_repr("a\xFFz"), "'a\uFFFDz'");
}

TEST(python_repr, a_command_is_a_list_of_words) {
  EXPECT_EQ(python_repr(std::vector<std::string>{"vllm", "serve", "a model", "it's"}),
            R"(['vllm', 'serve', 'a model', "it's"])");
  EXPECT_EQ(python_repr(std::vector<std::string>{}), "[]");
}

TEST(python_repr, a_text_as_the_whole_value_is_quoted) {
  EXPECT_EQ(python_repr(options::node::of(std::string("x"))), "'x'");
  EXPECT_EQ(repr_in_python(R"({"it's": "x"})"), R"({"it's": 'x'})");
}

TEST(python_json, an_object_is_on_one_line_with_blanks_after_separators) {
  EXPECT_EQ(python_json(read_json_node(R"({"mode":3,"a":[1,2.0,null,true,false],"b":{}})", "x")),
            R"({"mode": 3, "a": [1, 2.0, null, true, false], "b": {}})");
}

TEST(python_json, characters_beyond_ascii_are_escaped) {
  EXPECT_EQ(python_json(read_json_node(R"("\u00e9\ud83d\ude00\u0001\u007f\"\\\/\b\f\n\r\t")", "x")),
            R"("\u00e9\ud83d\ude00\u0001\u007f\"\\/\b\f\n\r\t")");
}

TEST(python_json, numbers_that_json_does_not_have_have_the_names_of_javascript) {
  EXPECT_EQ(python_json(read_json_node("[NaN, Infinity, -Infinity, 1e16]", "x")),
            "[NaN, Infinity, -Infinity, 1e+16]");
}

TEST(python_json, an_indented_object_has_a_line_for_each_value) {
  const ifb::json_document all = read_json_document(
      R"([{"a": 1, "b": [], "c": {}, "d": [1, {"e": null}]}, 18446744073709551615])", "value.json");
  EXPECT_EQ(python_json(all, 4), R"([
    {
        "a": 1,
        "b": [],
        "c": {},
        "d": [
            1,
            {
                "e": null
            }
        ]
    },
    18446744073709551615
])");
  EXPECT_EQ(python_json(all, 0),
            R"([{"a": 1, "b": [], "c": {}, "d": [1, {"e": null}]}, 18446744073709551615])");
}

TEST(python_json, invalid_bytes_become_the_replacement_character) {
  ifb::json_document text;
  text.SetString("a\xFFz", 3, text.GetAllocator());
  EXPECT_EQ(python_json(text, 0), R"("a\ufffdz")");
}

}  // namespace
}  // namespace inferbench::pytext

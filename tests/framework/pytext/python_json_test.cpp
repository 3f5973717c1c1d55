#include "pytext/python_json.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/options/test_environment.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::pytext {
namespace {

using options::complaint_of;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string node_complaint(const std::string& text) {
  return complaint_of([&] { return read_json_node(text, "p.json"); });
}

std::string document_complaint(const std::string& text) {
  return complaint_of([&] { return read_json_document(text, "r.json"); });
}

std::string value_of(const std::string& text) {
  return python_repr(read_json_node(text, "p.json"));
}

TEST(python_json, every_value_has_its_line_and_column) {
  const options::node root =
      read_json_node("[\n  {\"a\": -12.5,\n   \"b\": [true, \"q\\\"\\\\\"]},\n  null]", "p.json");
  EXPECT_EQ(root.where.text(), "p.json:1:1");
  const options::node& object = root.items[0];
  EXPECT_EQ(object.where.text(), "p.json:2:3");
  EXPECT_EQ(object.find("a")->where.text(), "p.json:2:9");
  EXPECT_EQ(object.find("b")->where.text(), "p.json:3:9");
  EXPECT_EQ(object.find("b")->items[0].where.text(), "p.json:3:10");
  EXPECT_EQ(object.find("b")->items[1].where.text(), "p.json:3:16");
  EXPECT_EQ(root.items[1].where.text(), "p.json:4:3");
}

TEST(python_json, lines_may_end_with_carriage_return_and_line_feed) {
  const options::node root = read_json_node("[\r\n  1,\r\n  2\r\n]\r\n", "p.json");
  EXPECT_EQ(python_repr(root), "[1, 2]");
  EXPECT_EQ(root.items[1].where.text(), "p.json:3:3");
}

TEST(python_json, a_byte_order_mark_is_skipped) {
  const options::node root = read_json_node("\xEF\xBB\xBF[1]", "p.json");
  EXPECT_EQ(root.items[0].where.text(), "p.json:1:2");
  EXPECT_EQ(python_json(read_json_document("\xEF\xBB\xBF[1]", "r.json"), 0), "[1]");
}

TEST(python_json, numbers_are_those_of_python) {
  EXPECT_EQ(value_of("[1, 1.0, 1e2, 1E-2, -0, -0.0]"), "[1, 1.0, 100.0, 0.01, 0, -0.0]");
  EXPECT_EQ(value_of("[NaN, Infinity, -Infinity]"), "[nan, inf, -inf]");
  EXPECT_EQ(value_of("1e-400"), "0.0");
  EXPECT_EQ(value_of("-1e-400"), "-0.0");
}

TEST(python_json, the_types_of_numbers_are_kept) {
  using enum options::node::kind;
  EXPECT_TRUE(read_json_node("1", "p").is(integer));
  EXPECT_TRUE(read_json_node("1.0", "p").is(real));
  EXPECT_TRUE(read_json_node("9223372036854775807", "p").is(integer));
  EXPECT_TRUE(read_json_node("9223372036854775808", "p").is(big));
  EXPECT_EQ(read_json_node("-9223372036854775808", "p").integer,
            std::numeric_limits<std::int64_t>::min());
}

TEST(python_json, other_spellings_of_numbers_are_refused) {
  for (const char* text : {"[Inf]", "[-NaN]", "[nan]", "[inf]", "[+1]", "[01]", "[.5]", "[1.]",
                           "[0x10]", "[1_000]", "[-]", "[1e]"})
    EXPECT_THAT(node_complaint(text), StartsWith("p.json:1:")) << text;
}

TEST(python_json, a_number_beyond_a_double_is_infinite_or_refused_in_parameters) {
  EXPECT_EQ(value_of("[10e308, -1.8e308]"), "[inf, -inf]");
  EXPECT_THAT(node_complaint("[1e400]"), HasSubstr("malformed JSON at [0]: Number too big"));
}

TEST(python_json, the_last_of_equal_keys_counts_at_the_place_of_the_first) {
  EXPECT_EQ(value_of(R"({"a": 1, "b": 2, "a": 3})"), "{'a': 3, 'b': 2}");
  const ifb::json_document all = read_json_document(
      R"({"a": 1, "b": 2, "a": 3, "a name that is longer": 4, "b": {"c": 5, "c": 6},
          "a name that is longer": [{"d": 7, "d": 8}], "e": 9, "a": 10})",
      "r.json");
  EXPECT_EQ(python_json(all, 0),
            R"({"a": 10, "b": {"c": 6}, "a name that is longer": [{"d": 8}], "e": 9})");
}

TEST(python_json, equal_names_at_the_top_can_be_refused) {
  const auto complaint = [](const std::string& text) {
    return complaint_of([&] { return read_json_node(text, "p.json", top_names::unique); });
  };
  EXPECT_THAT(complaint("{\"small\": {},\n \"small\": {}}"),
              StartsWith("p.json:2:2: 'small' is there a second time"));
  EXPECT_EQ(complaint(R"({"x": {"a": 1, "a": 2}})"), "");
  EXPECT_EQ(complaint(R"([{"a": 1, "a": 2}])"), "");
}

TEST(python_json, a_malformed_text_is_refused_with_place_and_key) {
  EXPECT_EQ(
      node_complaint("[\n  {\"max_num_seqs\": 16,\n   \"mode\" 3}\n]"),
      "p.json:3:11: malformed JSON at [0].mode: Missing a colon after a name of object member");
  EXPECT_EQ(node_complaint("{\"a\": {\"b\": [1, 2, {\"c\": tru}]}}"),
            "p.json:1:29: malformed JSON at a.b[2].c: Invalid value");
  EXPECT_THAT(node_complaint("[1 2]"), HasSubstr("Missing a comma or ']' after an array element"));
  EXPECT_THAT(node_complaint("{\"a\": 1 \"b\": 2}"),
              HasSubstr("malformed JSON at a: Missing a comma"));
  EXPECT_THAT(node_complaint("[1,]"), StartsWith("p.json:1:4: malformed JSON at [1]: "));
  EXPECT_THAT(node_complaint("{'a': 1}"), HasSubstr("Missing a name for object member"));
  EXPECT_THAT(node_complaint("{1: 2}"), HasSubstr("Missing a name for object member"));
  EXPECT_THAT(node_complaint("{\"a\": 1}}"), HasSubstr("must not be followed by other values"));
  EXPECT_THAT(node_complaint("# comment\n[]"), StartsWith("p.json:1:1: "));
  EXPECT_THAT(node_complaint("[\"a"), HasSubstr("Missing a closing quotation mark"));
  EXPECT_THAT(node_complaint("[\"\\x\"]"), HasSubstr("Invalid escape character"));
  EXPECT_THAT(node_complaint("[True]"), HasSubstr("Invalid value"));
}

TEST(python_json, an_empty_text_is_refused) {
  EXPECT_EQ(node_complaint(""), "p.json:1:1: malformed JSON: The document is empty");
  EXPECT_THAT(node_complaint(" \n \n"), HasSubstr("The document is empty"));
  EXPECT_EQ(node_complaint("\xEF\xBB\xBF"), "p.json:1:1: malformed JSON: The document is empty");
  EXPECT_EQ(document_complaint(""), "r.json:1:1: malformed JSON: The document is empty");
}

TEST(python_json, a_text_that_is_cut_is_refused_at_every_length) {
  const std::string whole =
      R"({"s": "a\u00e9\"b", "n": [1, -2.5e3, NaN, true, null], "o": {"k": {}}})";
  ASSERT_EQ(node_complaint(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(node_complaint(whole.substr(0, size)), StartsWith("p.json:1:")) << size;
    EXPECT_THAT(document_complaint(whole.substr(0, size)), StartsWith("r.json:1:")) << size;
  }
}

TEST(python_json, bytes_that_are_not_utf_8_are_refused) {
  EXPECT_THAT(node_complaint("[\"\xFF\"]"), HasSubstr("Invalid encoding in string"));
  EXPECT_THAT(node_complaint("{\"\xC3(\": 1}"), HasSubstr("Invalid encoding in string"));
  EXPECT_THAT(document_complaint("[\"\xED\xA0\x80\"]"), HasSubstr("Invalid encoding in string"));
  // UTF-16
  EXPECT_THAT(node_complaint(std::string("[\0]\0", 4)),
              StartsWith("p.json:1:2: malformed JSON: a zero byte"));
  EXPECT_THAT(document_complaint(std::string("[\n\0]", 4)),
              StartsWith("r.json:2:1: malformed JSON: a zero byte"));
}

TEST(python_json, a_parameter_contains_no_zero_and_no_half_of_a_surrogate_pair) {
  EXPECT_THAT(node_complaint(R"([{"a": "x\u0000y"}])"),
              StartsWith(R"(p.json:1:8: malformed JSON at [0].a: a text contains \u0000)"));
  EXPECT_THAT(node_complaint(R"([{"a\u0000": 1}])"), HasSubstr(R"(a text contains \u0000)"));
  EXPECT_THAT(node_complaint(R"(["\udc00"])"), EndsWith("a text contains half a surrogate pair"));
  EXPECT_THAT(node_complaint(R"(["\ud800"])"), HasSubstr("surrogate pair in string is invalid"));
  EXPECT_EQ(python_json(read_json_document(R"(["a\u0000\udc00"])", "r.json"), 0),
            R"(["a\u0000\ufffd"])");
}

TEST(python_json, half_a_surrogate_pair_in_a_result_becomes_the_replacement_character) {
  const auto read = [](const std::string& text) {
    return python_json(read_json_document(text, "r.json"), 0);
  };
  EXPECT_EQ(read(R"(["\ud83d", "a\udC00b", "\uD83D\uDE00", "\ud83d\ud83d\ude00"])"),
            R"(["\ufffd", "a\ufffdb", "\ud83d\ude00", "\ufffd\ud83d\ude00"])");
  EXPECT_EQ(read(R"(["\\ud83d\ud83d\\", "\ud83dx", "\udbff\n", {"\ud83d": 1}])"),
            R"(["\\ud83d\ufffd\\", "\ufffdx", "\ufffd\n", {"\ufffd": 1}])");
  EXPECT_THAT(document_complaint("[\"\\ud83d\",\n \"\\ud8"), StartsWith("r.json:2:"));
  EXPECT_THAT(document_complaint("[\"\\ud83d\",\n 1 2]"), StartsWith("r.json:2:4: malformed JSON"));
}

TEST(python_json, deep_nesting_is_refused_before_it_is_read_to_its_end) {
  const auto nested = [](std::size_t levels, char open, char close) {
    return std::string(levels, open) + std::string(levels, close);
  };
  const auto most = static_cast<std::size_t>(options::deepest);
  EXPECT_EQ(node_complaint(nested(most, '[', ']')), "");
  EXPECT_EQ(document_complaint(nested(most, '[', ']')), "");
  EXPECT_THAT(node_complaint(nested(most + 1, '[', ']')),
              StartsWith("p.json:1:201: JSON is nested more than 200 levels deep"));
  EXPECT_THAT(document_complaint(nested(most + 1, '[', ']')),
              StartsWith("r.json: JSON is nested more than 200 levels deep"));
  EXPECT_THAT(node_complaint(std::string(1'000'000, '[')), HasSubstr("levels deep"));
  EXPECT_THAT(document_complaint(nested(1'000'000, '[', ']')), HasSubstr("levels deep"));
  std::string objects;
  for (int i = 0; i < 300; ++i)
    objects += R"({"a":)";
  EXPECT_THAT(node_complaint(objects), HasSubstr("levels deep"));
}

TEST(python_json, a_document_keeps_integers_and_floats) {
  const ifb::json_document all = read_json_document(
      "[1, 1.0, 18446744073709551615, 18446744073709551616, NaN, -Infinity]", "r");
  EXPECT_EQ(python_json(all, 0),
            "[1, 1.0, 18446744073709551615, 1.8446744073709552e+19, NaN, -Infinity]");
}

TEST(python_json, a_number_beyond_a_double_is_infinite_in_a_result) {
  const auto read = [](const std::string& text) {
    return python_json(read_json_document(text, "r.json"), 0);
  };
  EXPECT_EQ(read(R"({"a": 1e400, "b": [-1.5E+309,0e400], "c": "1e400\\\"1e999", "d": 1e-400})"),
            R"({"a": Infinity, "b": [-Infinity, 0.0], "c": "1e400\\\"1e999", "d": 0.0})");
  EXPECT_EQ(read("[1" + std::string(400, '0') + ", 2]"), "[Infinity, 2]");
  EXPECT_EQ(read(R"([1e999, "\ud83d"])"), R"([Infinity, "\ufffd"])");
  EXPECT_THAT(document_complaint("[1e400,\n 1e400x]"), StartsWith("r.json:2:7: malformed JSON"));
}

}  // namespace
}  // namespace inferbench::pytext

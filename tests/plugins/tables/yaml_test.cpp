#include "datasets/tables/yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace tables {
namespace {

using kind = yaml_value::kind;
using testing::HasSubstr;

/// The tree in a compact form: [a,{b:c}].
std::string shown(const yaml_value& value) {
  std::string out;
  switch (value.is) {
    case kind::nothing: return "~";
    case kind::scalar: return value.text;
    case kind::sequence:
      for (const auto& item : value.items)
        out += (out.empty() ? "" : ",") + shown(item);
      return "[" + out + "]";
    case kind::mapping:
      for (const auto& [key, member] : value.members)
        out += (out.empty() ? "" : ",") + key + ":" + shown(member);
      return "{" + out + "}";
  }
  return out;
}
std::string read(std::string_view text) { return shown(read_yaml(text, "k")); }

std::string refused_yaml(std::string_view text) {
  try {
    (void)read_yaml(text, "k");
  } catch (const ifb::failure& e) {
    return e.message();
  }
  ADD_FAILURE() << text << " was not refused";
  return {};
}

TEST(yaml, finds_a_key_at_the_top) {
  EXPECT_EQ(read("a: 1\nk: 2\nb: 3\n"), "2");
  EXPECT_EQ(read("a:\n  k: 1\n"), "~");
  EXPECT_EQ(read("kk: 1\n"), "~");
  EXPECT_EQ(read("k:\nb: 1\n"), "~");
  EXPECT_EQ(read(""), "~");
}

TEST(yaml, reads_blocks) {
  EXPECT_EQ(read("k:\n- a\n- b: 1\n  c: 2\n-\n  d: 3\n"), "[a,{b:1,c:2},{d:3}]");
  EXPECT_EQ(read("k:\n  - a\n  -   b: 1\n      c:\n      - x\n      - y\n"), "[a,{b:1,c:[x,y]}]");
  EXPECT_EQ(read("k:\n  a:\n    b: c\n  d: e\n"), "{a:{b:c},d:e}");
  EXPECT_EQ(read("k:\n- - a\n  - b\n- c\n"), "[[a,b],c]");
}

TEST(yaml, reads_values_in_brackets) {
  EXPECT_EQ(read("k: [a, 'b, c', {d: e}, []]\n"), "[a,b, c,{d:e},[]]");
  EXPECT_EQ(read("k: {a: [1, 2], \"b\": x}\n"), "{a:[1,2],b:x}");
  EXPECT_EQ(read("k: [a,\n    b,\n]\n"), "[a,b]");
}

TEST(yaml, reads_scalars) {
  EXPECT_EQ(read("k: a b # comment\n"), "a b");
  EXPECT_EQ(read("k: a#b\n"), "a#b");
  EXPECT_EQ(read("k: 'it''s # no comment'\n"), "it's # no comment");
  EXPECT_EQ(read("k: \"a \\\"b\\\" \\\\ c\"\n"), "a \"b\" \\ c");
  EXPECT_EQ(read("k: data/*.csv\r\n"), "data/*.csv");
  EXPECT_EQ(read("k: one\n  two\n"), "one two");
  EXPECT_EQ(read("k: https://x/y\n"), "https://x/y");
}

TEST(yaml, leaves_out_what_other_keys_have) {
  EXPECT_EQ(read("a: &anchor !tag [\nb: |\n  k: 1\n  - x\nk: yes\n"), "yes");
  EXPECT_EQ(read("k:\n- a: |\n    text: x\n  b: >-\n    y\n  c: 1\n"), "[{a:,b:,c:1}]");
}

TEST(yaml, of_another_form_is_refused_with_its_line) {
  EXPECT_THAT(refused_yaml("a: 1\nk: [a\n"), HasSubstr("line 2: the bracket ] is missing"));
  EXPECT_THAT(refused_yaml("k: &x a\n"), HasSubstr("line 1: anchors and tags"));
  EXPECT_THAT(refused_yaml("k: \"a\n"), HasSubstr("a quotation mark is missing"));
  EXPECT_THAT(refused_yaml("k:\n  a: 1\n    b: 2\n  c\n"), HasSubstr("a colon"));
  EXPECT_THAT(refused_yaml("k: " + std::string(100, '[')), HasSubstr("nested too deeply"));
  std::string deep = "k:\n";
  for (int i = 0; i < 100; ++i)
    deep += std::string(static_cast<std::size_t>(i), ' ') + " a:\n";
  EXPECT_THAT(refused_yaml(deep), HasSubstr("nested too deeply"));
}

TEST(yaml, front_matter_is_between_two_lines_of_hyphens) {
  EXPECT_EQ(front_matter("---\na: 1\n---\n# Title\n---\n"), "a: 1\n");
  EXPECT_EQ(front_matter("\xEF\xBB\xBF---\r\na: 1\r\n---\r\n"), "a: 1\r\n");
  EXPECT_EQ(front_matter("# Title\n---\na: 1\n---\n"), "");
  EXPECT_EQ(front_matter("---\na: 1\n"), "");
  EXPECT_EQ(front_matter("---"), "");
}

}  // namespace
}  // namespace tables

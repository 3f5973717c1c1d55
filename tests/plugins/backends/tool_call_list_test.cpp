// Tests calls of tools that no usual server sends; the transcripts of openai_answer_test.cpp have
// the usual ones.
#include "backends/openai_family/tool_call_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace openai {
namespace {

std::size_t calls_in(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t at = text.find("{\"name\""); at != std::string::npos;
       at = text.find("{\"name\"", at + 1))
    ++out;
  return out;
}

TEST(a_tool_call_list, leaves_out_calls_above_its_limit) {
  tool_call_list calls;
  for (std::int64_t i = 0; i < 3000; ++i) {
    const std::vector<call_part> parts{{i, "f", "{}"}, {-1, "g", ""}};
    calls.add(parts, 0);
  }
  EXPECT_EQ(calls_in(calls.text()), tool_call_list::most_calls);
}

TEST(a_tool_call_list, writes_valid_JSON_of_any_bytes) {
  tool_call_list calls;
  const std::vector<call_part> parts{{0, "a\xFF\"", "\xE4\xB8"}, {INT64_MAX, "", ""}};
  calls.add(parts, 0);
  EXPECT_EQ(calls.text(), R"([{"name": "a\ufffd\"", "arguments": "\ufffd"}, )"
                          R"({"name": "", "arguments": ""}])");
}

TEST(a_tool_call_list, adds_a_part_without_index_and_name_to_the_last_call) {
  tool_call_list calls;
  const std::vector<call_part> parts{{-1, "", "1"}, {-1, "", "2"}, {-1, "f", "3"}, {-1, "", "4"}};
  calls.add(parts, 5);
  EXPECT_EQ(calls.text(), R"([{"name": "", "arguments": "12"}, )"
                          R"({"name": "f", "arguments": "34"}])");
}

TEST(a_tool_call_list, takes_the_whole_arguments_of_a_call_that_has_none) {
  tool_call_list calls;
  calls.complete(0, "nothing");
  const std::vector<call_part> parts{{0, "f", "{}"}, {1, "g", ""}, {-1, "h", ""}};
  calls.add(parts, 0);
  calls.complete(0, "other");
  calls.complete(1, "[1]");
  calls.complete(7, "none");
  calls.complete(-1, "[2]");
  EXPECT_EQ(calls.text(),
            R"([{"name": "f", "arguments": "{}"}, {"name": "g", "arguments": "[1]"}, )"
            R"({"name": "h", "arguments": "[2]"}])");
}

TEST(a_tool_call_list, ignores_other_choices_than_the_first_and_0) {
  tool_call_list calls;
  const std::vector<call_part> one{{0, "one", ""}};
  const std::vector<call_part> two{{0, "two", ""}};
  calls.add(one, 3);
  calls.add(two, 2);
  EXPECT_THAT(calls.text(), testing::HasSubstr("one"));
  calls.add(two, 0);
  calls.add(one, 3);
  EXPECT_EQ(calls.text(), R"([{"name": "two", "arguments": ""}])");
}

}  // namespace
}  // namespace openai

#include "perf/page.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"

namespace inferbench::perf {
namespace {

using testing::HasSubstr;

const page_texts some_texts{"L", "T", "S", "P", "{J}"};

std::string page_refusal(const std::string& descriptions) {
  return support::error_text([&] { return filled(descriptions, some_texts, "d.md"); });
}

TEST(a_page, has_the_texts_in_place_of_the_placeholders) {
  EXPECT_EQ(filled("a {latency_tests_markdown_table}{throughput_tests_markdown_table}\n"
                   "{serving_tests_markdown_table} {{x}} {platform_markdown_table}"
                   "{benchmarking_results_in_json_string}{latency_tests_markdown_table}",
                   some_texts, "d.md"),
            "a LT\nS {x} P{J}L");
  EXPECT_EQ(filled("", some_texts, "d.md"), "");
}

TEST(the_usual_page, has_every_text_once) {
  const std::string page = filled(usual_descriptions(), {"<1>", "<2>", "<3>", "<4>", "<5>"}, "");
  for (const char* const each : {"<1>", "<2>", "<3>", "<4>", "<5>"}) {
    EXPECT_NE(page.find(each), std::string::npos) << each;
    EXPECT_EQ(page.find(each), page.rfind(each)) << each;
  }
}

TEST(a_template, with_an_unknown_placeholder_or_a_single_brace_is_refused) {
  EXPECT_THAT(page_refusal("a\nb {tables}"), HasSubstr("d.md:2: unknown placeholder {tables}"));
  EXPECT_THAT(page_refusal("{}"), HasSubstr("d.md:1: unknown placeholder {}"));
  EXPECT_THAT(page_refusal("a }"), HasSubstr("d.md:1: a single brace"));
  EXPECT_THAT(page_refusal("a {"), HasSubstr("d.md:1: a single brace"));
  EXPECT_THAT(page_refusal("{{{"), HasSubstr("a single brace"));
}

}  // namespace
}  // namespace inferbench::perf

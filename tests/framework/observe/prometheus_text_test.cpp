#include "observe/prometheus_text.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A sample whose texts are copies.
struct kept_sample {
  std::string name;
  std::string series;
  std::vector<std::pair<std::string, std::string>> labels;
  double value;
  bool followed;
  metric_type type;
};

struct read_page {
  std::vector<kept_sample> samples;
  page_summary summary;
};

read_page read_text(std::string_view text) {
  read_page out;
  out.summary = read_metrics(text, [&](const metric_sample& one) {
    kept_sample copy{
        std::string(one.name), std::string(one.series), {}, one.value, one.followed, one.type};
    for (const metric_label& label : one.labels)
      copy.labels.emplace_back(label.name, label.value);
    out.samples.push_back(std::move(copy));
  });
  return out;
}

std::string page_file(const std::string& name) {
  return base::read_file(INFERBENCH_SOURCE "/tests/fixtures/observe/" + name);
}

TEST(read_metrics, reads_names_labels_and_values) {
  const read_page page = read_text("a:b_1{x=\"1\", y = \"2\",} 3.5\n  plain\t7 \n");
  ASSERT_EQ(page.samples.size(), 2U);
  EXPECT_EQ(page.samples[0].name, "a:b_1");
  EXPECT_EQ(page.samples[0].series, "a:b_1{x=\"1\", y = \"2\",}");
  EXPECT_THAT(page.samples[0].labels, ElementsAre(Pair("x", "1"), Pair("y", "2")));
  EXPECT_EQ(page.samples[0].value, 3.5);
  EXPECT_EQ(page.samples[1].name, "plain");
  EXPECT_EQ(page.samples[1].value, 7);
  EXPECT_EQ(page.summary.samples, 2U);
  EXPECT_EQ(page.summary.bad_lines, 0U);
}

TEST(read_metrics, reads_openmetrics_up_to_its_end) {
  const read_page page = read_text(page_file("openmetrics.txt"));
  EXPECT_EQ(page.summary.bad_lines, 0U) << page.summary.first_bad;
  ASSERT_EQ(page.samples.size(), 10U);
  const kept_sample& total = page.samples[0];
  EXPECT_EQ(total.name, "http_requests_total");
  EXPECT_THAT(total.labels, ElementsAre(Pair("path", "/a b"), Pair("text", "a\"b\\c\nd")));
  EXPECT_EQ(total.value, 17);
  EXPECT_TRUE(total.followed);
  EXPECT_EQ(total.type, metric_type::counter);
  EXPECT_EQ(page.samples[1].type, metric_type::gauge) << "the time at which the counter was made";
  EXPECT_EQ(page.samples[2].type, metric_type::histogram);
  EXPECT_TRUE(page.samples[2].followed) << "an exemplar";
  EXPECT_EQ(page.samples[6].type, metric_type::gauge);
  EXPECT_EQ(page.samples[6].value, -3.5);
  EXPECT_TRUE(std::isnan(page.samples[7].value));
  EXPECT_EQ(page.samples[8].value, INFINITY);
  EXPECT_EQ(page.samples[9].value, -INFINITY);
}

TEST(read_metrics, reads_the_page_of_every_server_without_a_bad_line) {
  const std::map<std::string, std::size_t> samples{
      {"vllm.txt", 24},  {"sglang.txt", 11}, {"tgi.txt", 11}, {"llama_cpp.txt", 9},
      {"trtllm.txt", 8}, {"triton.txt", 13}, {"dcgm.txt", 7}, {"node.txt", 4}};
  for (const auto& [name, count] : samples) {
    const read_page page = read_text(page_file(name));
    EXPECT_EQ(page.samples.size(), count) << name;
    EXPECT_EQ(page.summary.bad_lines, 0U) << name << ": " << page.summary.first_bad;
  }
}

TEST(read_metrics, a_bad_line_is_counted_and_the_others_are_read) {
  for (const char* bad : {"1abc 2",
                          "a",
                          "a ",
                          "a{} ",
                          "a{b} 1",
                          "a{b=1} 1",
                          "a{b=\"1} 1",
                          "a{b=\"1\" 1",
                          "a{b=\"1\"c=\"2\"} 1",
                          "a{=\"1\"} 1",
                          "a{1=\"1\"} 1",
                          "a 1 2 3",
                          "a x",
                          "a 1 x",
                          "a nan(1)",
                          "a 0x10",
                          "a 1_0",
                          "a\"b\" 1",
                          "\x80\xff 1",
                          "a{b=\"1\\",
                          "a{,} 1",
                          "a 1e999"}) {
    const read_page page = read_text(std::string("good 1\n") + bad + "\ngood 2\n");
    EXPECT_EQ(page.samples.size(), 2U) << bad;
    EXPECT_EQ(page.summary.bad_lines, 1U) << bad;
  }
}

TEST(read_metrics, the_first_bad_line_is_shown_short_and_harmless) {
  const read_page page = read_text("\x1b[2J" + std::string(100, 'x') + "\nalso bad\n");
  EXPECT_EQ(page.summary.bad_lines, 2U);
  EXPECT_EQ(page.summary.first_bad, " [2J" + std::string(56, 'x') + "...");
}

TEST(read_metrics, the_end_of_a_line_may_be_that_of_windows_and_the_last_may_be_missing) {
  const read_page page = read_text("a 1\r\nb{c=\"d\"} 2\r\nc 3");
  EXPECT_EQ(page.samples.size(), 3U);
  EXPECT_EQ(page.summary.bad_lines, 0U);
}

TEST(read_metrics, an_unknown_escape_keeps_its_backslash) {
  const read_page page = read_text(R"(a{b="C:\dir\new\\x"} 1)");
  ASSERT_EQ(page.samples.size(), 1U);
  EXPECT_THAT(page.samples[0].labels, ElementsAre(Pair("b", "C:\\dir\new\\x")));
}

TEST(read_metrics, lines_labels_and_samples_are_limited) {
  EXPECT_EQ(
      read_text("a{b=\"" + std::string(longest_metric_line, 'x') + "\"} 1\n").summary.bad_lines,
      1U);
  std::string labels;
  for (std::size_t i = 0; i <= most_metric_labels; ++i)
    labels += "l" + std::to_string(i) + "=\"\",";
  EXPECT_EQ(read_text("a{" + labels + "} 1\n").summary.bad_lines, 1U);
  std::string many;
  for (std::size_t i = 0; i <= most_metric_samples; ++i)
    many += "a 1\n";
  const page_summary summary = read_metrics(many, [](const metric_sample&) {});
  EXPECT_TRUE(summary.cut);
  EXPECT_EQ(summary.samples, most_metric_samples);
}

TEST(read_metrics, a_page_of_anything_else_has_no_samples) {
  for (const char* text : {"", "\n\n", "<html><body>not found</body></html>", "{\"a\": 1}"})
    EXPECT_THAT(read_text(text).samples, IsEmpty()) << text;
}

TEST(read_metrics, a_page_that_is_cut_anywhere_yields_a_beginning) {
  const std::string whole = page_file("vllm.txt");
  const std::size_t all = read_text(whole).samples.size();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const read_page page = read_text(std::string_view(whole).substr(0, size));
    EXPECT_LE(page.samples.size(), all);
    EXPECT_LE(page.summary.bad_lines, 1U) << size;
  }
}

TEST(read_metrics, many_types_are_no_burden) {
  std::string text;
  for (int i = 0; i < 60'000; ++i)
    text += "# TYPE f" + std::to_string(i) + " counter\n";
  const read_page page = read_text(text + "f0_total 1\nf59999_total 1\n");
  ASSERT_EQ(page.samples.size(), 2U);
  EXPECT_EQ(page.samples[0].type, metric_type::counter);
  EXPECT_EQ(page.samples[1].type, metric_type::unknown) << "beyond the limit";
}

}  // namespace
}  // namespace inferbench::observe

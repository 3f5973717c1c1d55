// Tests how texts become cells of CSV, XML, Markdown and labels of Prometheus.
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reporters/csv/lines.hpp"
#include "reporters/junit/suite.hpp"
#include "reporters/markdown/text.hpp"
#include "reporters/prometheus/exposition.hpp"
#include "reporters/prometheus/samples.hpp"

namespace {

using namespace std::string_literals;

TEST(csv_lines, quotes_follow_rfc_4180) {
  reporters::csv_lines out;
  out.name("a,b");
  out.text("say \"x\"");
  out.text("two\nlines");
  out.text("plain");
  out.text("");
  out.empty();
  out.end_line();
  EXPECT_EQ(out.all(), "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",plain,,\n");
}

TEST(csv_lines, texts_that_are_formulas_get_an_apostrophe_and_numbers_do_not) {
  reporters::csv_lines out;
  for (const std::string& each : {"=1"s, "+1"s, "-1"s, "@a"s, "\ta"s, "a=1"s, "\0"s})
    out.text(each);
  out.number(std::int64_t{-1});
  out.number(-0.5);
  out.ms(-1'500'000);
  out.ms(std::nullopt);
  out.number(std::numeric_limits<double>::quiet_NaN());
  out.end_line();
  EXPECT_EQ(out.all(), "'=1,'+1,'-1,'@a,'\ta,a=1,\xEF\xBF\xBD,-1,-0.5,-1.5,,\n");
}

TEST(xml_text, marks_and_characters_that_xml_does_not_have) {
  EXPECT_EQ(reporters::xml_text("<a b=\"c\" d='e'>&]]>"),
            "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;]]&gt;");
  EXPECT_EQ(reporters::xml_text("\x01\0\xFF\xEF\xBF\xBF\t\r\n"s),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD&#9;&#13;&#10;");
}

TEST(markdown_text, nothing_in_a_text_is_a_mark) {
  EXPECT_EQ(reporters::markdown_text("a_b _c_ www.x http://y > -"),
            "a_b &#95;c&#95; www&#46;x http&#58;//y > -");
  EXPECT_EQ(reporters::markdown_text("> a"), "&#62; a");
  EXPECT_EQ(reporters::markdown_code("<b>|`"), "<code>&#60;b>&#124;&#96;</code>");
}

TEST(markdown_block, a_fence_is_longer_than_every_fence_in_its_text) {
  EXPECT_EQ(reporters::markdown_block("a", "sh"), "```sh\na\n```\n");
  EXPECT_EQ(reporters::markdown_block("```\nb\n````", ""), "`````\n```\nb\n````\n`````\n");
}

TEST(readable_number, has_two_digits_after_the_point_unless_it_is_small_or_huge) {
  EXPECT_EQ(reporters::readable_number(0), "0.00");
  EXPECT_EQ(reporters::readable_number(12.345), "12.35");
  EXPECT_EQ(reporters::readable_number(0.012345), "0.0123");
  EXPECT_EQ(reporters::readable_number(-1e20), "-1e+20");
  EXPECT_EQ(reporters::readable_number(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(reporters::readable_count(1200.4), "1200");
}

TEST(exposition, labels_and_help_are_escaped) {
  reporters::exposition out(reporters::prometheus_labels{{"run", "a\"b\\c\nd"}});
  out.metric("x", "gauge", "two\nlines \\");
  out.sample(std::numeric_limits<double>::infinity());
  out.sample("", {{"q", "\xFF"}}, -0.5);
  EXPECT_EQ(out.text(),
            "# HELP x two\\nlines \\\\\n# TYPE x gauge\nx{run=\"a\\\"b\\\\c\\nd\"} +Inf\n"
            "x{run=\"a\\\"b\\\\c\\nd\",q=\"\xEF\xBF\xBD\"} -0.5\n");
}

TEST(exposition, figures_are_in_base_units_with_the_unit_in_the_name) {
  const auto name_of = [](const char* figure, const char* unit) {
    return reporters::in_base_unit(figure, unit).name;
  };
  EXPECT_EQ(name_of("ttft", "ms"), "inferbench_ttft_seconds");
  EXPECT_EQ(name_of("probe_p99_e2el_ms", "ms"), "inferbench_probe_p99_e2el_seconds");
  EXPECT_EQ(name_of("duration", "s"), "inferbench_duration_seconds");
  EXPECT_EQ(name_of("output_throughput", "token/s"),
            "inferbench_output_throughput_tokens_per_second");
  EXPECT_EQ(name_of("peak_output_tokens_per_s", "token/s"),
            "inferbench_peak_output_tokens_per_second");
  EXPECT_EQ(name_of("total_input_tokens", "token"), "inferbench_total_input_tokens");
  EXPECT_EQ(name_of("acceptance_rate", "%"), "inferbench_acceptance_rate_ratio");
  EXPECT_EQ(name_of("zzz \"quoted\"\n", "furlong"), "inferbench_zzz__quoted__");
  EXPECT_EQ(reporters::in_base_unit("ttft", "ms").factor, 1e-3);
  EXPECT_EQ(reporters::in_base_unit("x", "%").factor, 1e-2);
}

}  // namespace

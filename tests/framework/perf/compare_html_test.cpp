#include "perf/compare_html.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/perf/compare_files.hpp"
#include "support/golden.hpp"

namespace inferbench::perf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string html_page_of(const std::vector<std::string>& texts,
                         const std::string& x = "# of max concurrency.", bool names = false) {
  compare_request request;
  request.x_axis = x;
  request.debug = names;
  const comparison_report report = compared(files_with(texts), request);
  return comparison_page(report, report.groups);
}

TEST(the_page, has_the_tables_of_the_contracts_example) {
  support::expect_golden(html_page_of({example_a(), example_b()}),
                         INFERBENCH_FIXTURES "/perf/compare_page.html");
}

TEST(the_page, has_the_plot_below_its_table) {
  compare_request request;
  request.x_axis = concurrency_title;
  comparison_report report = compared(files_with({example_a()}), request);
  report.groups[0].plots[1] = "<svg>the plot</svg>";
  EXPECT_THAT(comparison_page(report, report.groups), HasSubstr("</table>\n<svg>the plot</svg>\n"));
}

TEST(the_page, says_which_metric_a_group_does_not_have) {
  const std::string page = html_page_of({R"([{"Concurrency": 1, "P99": null}])"});
  EXPECT_THAT(page, HasSubstr("<p class=\"note\">P99: missing for this group</p>"));
  EXPECT_THAT(page, HasSubstr("<h3>Output Tput (tok/s) — All rows</h3>"));
  EXPECT_THAT(page, Not(HasSubstr("Valid Max Concurrency Summary")));
}

TEST(the_page, marks_finite_rates_by_the_rule_for_latencies_like_upstream) {
  const std::string row = "[" + serving_row("12", "1", "1", "300", "102") + "]";
  EXPECT_THAT(html_page_of({row}),
              HasSubstr("<tr><th>0</th><td>12.00</td><td class=\"slack\">102.00</td>"
                        "<td>300.00</td></tr>"));
  EXPECT_THAT(html_page_of({row}, "qps"),
              HasSubstr("<tr><th>0</th><td>12.00</td><td>102.00</td><td>300.00</td></tr>"));
}

TEST(the_page, leaves_missing_cells_empty) {
  const std::string page = html_page_of(
      {"[" + serving_row("12", "1", "1", "1") + "]", "[" + serving_row("16", "1", "1", "1") + "]"});
  EXPECT_THAT(page, HasSubstr("<tr><th>0</th><td>12.00</td><td>inf</td><td>1.00</td><td></td>"
                              "<td class=\"ratio\"></td></tr>"));
}

TEST(the_page, escapes_every_text_of_the_user) {
  const std::string page =
      html_page_of({R"([{"Model": "<script>alert('1')</script>", "Dataset Name": "a&b\"",)"
                    R"( "Test name": "<b>", "Concurrency": 1, "P99": 1}])"},
                   "# of max concurrency.", true);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, HasSubstr("Model : [ &lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; ]"));
  EXPECT_THAT(page, HasSubstr("a&amp;b&quot;"));
  EXPECT_THAT(page, HasSubstr("<td class=\"text\">&lt;b&gt;</td>"));
}

}  // namespace
}  // namespace inferbench::perf

#include "page.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/samples.hpp"
#include "support/golden.hpp"

namespace {

using namespace figures;
using testing::HasSubstr;
using testing::Not;

/// The data without the version of the program.
std::string data_of(const std::vector<figure>& what, const std::string& title) {
  std::string out = page_data(what, title);
  const std::string mark = "\"generator\":\"inferbench ";
  const std::size_t at = out.find(mark) + mark.size();
  return out.replace(at, out.find('"', at) - at, "VERSION");
}

TEST(page_of_plots, has_the_data_of_the_figures) {
  figure curves = samples::figure_of({samples::banded_curve("seqs=16", 0)});
  curves.y_scale = scale::log;
  curves.notes = {"6 points of 18 runs"};
  inferbench::support::expect_golden(data_of({curves, samples::pareto_figure()}, "FIGURE") + "\n",
                                     std::string(INFERBENCH_FIXTURES) + "/figures/page_data.json");
}

TEST(page_of_plots, has_no_figures_for_no_figures) {
  EXPECT_EQ(data_of({}, "a"),
            R"({"format":1,"generator":"inferbench VERSION","title":"a","figures":[]})");
}

TEST(page_of_plots, has_data_in_ascii_that_cannot_end_their_element) {
  curve what = samples::plain_curve("</script><!--\x01\xFF\n\xF0\x9F\x98\x80\\\"", {{1, 2}});
  const std::string found = page_data({samples::figure_of({what})}, "\xC3\xA9");
  EXPECT_EQ(found.find('<'), std::string::npos);
  for (const char c : found)
    EXPECT_TRUE(c >= 0x20 && c < 0x7F);
  EXPECT_THAT(found,
              HasSubstr(R"("label":"\u003c/script>\u003c!--\u0001\ufffd\u000a\ud83d\ude00\\\"")"));
  EXPECT_THAT(found, HasSubstr(R"("title":"\u00e9")"));
}

TEST(page_of_plots, has_texts_for_numbers_that_json_does_not_have) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string found = page_data({samples::figure_of({samples::plain_curve(
                                          "a", {{infinity, -infinity},
                                                {0.1, std::numeric_limits<double>::quiet_NaN()},
                                                {1e300, -1e-300}})})},
                                      "a");
  EXPECT_THAT(found, HasSubstr(R"("x":["inf",0.1,1e+300])"));
  EXPECT_THAT(found, HasSubstr(R"("y":["-inf",null,-1e-300])"));
}

TEST(page_of_plots, leaves_out_texts_and_bands_that_no_point_has) {
  const std::string found =
      page_data({samples::figure_of({samples::plain_curve("a", {{1, 2}})})}, "a");
  EXPECT_THAT(found, Not(HasSubstr("\"labels\"")));
  EXPECT_THAT(found, Not(HasSubstr("\"details\"")));
  EXPECT_THAT(found, Not(HasSubstr("\"low\"")));
}

TEST(page_of_plots, fills_its_place_marks_once) {
  // Data may contain what looks like a mark.
  EXPECT_EQ(filled_page("<title>{{title}}</title>{{data}}.", "a & <b> {{data}}", "\"{{title}}\""),
            "<title>a &amp; &lt;b> {{data}}</title>"
            "<script type=\"application/json\" id=\"plots\">\"{{title}}\"</script>.");
}

TEST(page_of_plots, without_place_marks_is_refused) {
  EXPECT_THROW(static_cast<void>(filled_page("<title></title>{{data}}", "a", "1")),
               std::runtime_error);
  EXPECT_THROW(static_cast<void>(filled_page("{{data}}{{title}}", "a", "1")), std::runtime_error);
}

}  // namespace

#include "plot/plot_request.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"

namespace inferbench::plot {
namespace {

using words = std::vector<std::string>;

curves_request curves(const words& args) { return parse_curves(args); }

std::string curves_error(const words& args) {
  try {
    static_cast<void>(parse_curves(args));
  } catch (const options::usage_error& e) {
    return std::string("2 ") + e.what();
  } catch (const base::error& e) {
    return std::string("1 ") + e.what();
  }
  return "no error";
}

TEST(plot_request, has_upstreams_defaults) {
  const curves_request r = curves({"dir"});
  EXPECT_EQ(r.folder, "dir");
  EXPECT_EQ(r.figure_dir, "");
  EXPECT_EQ(r.figure_name, "FIGURE");
  EXPECT_TRUE(r.figure_by.empty());
  EXPECT_EQ(r.figure.x, "total_token_throughput");
  EXPECT_EQ(r.figure.y, "median_ttft_ms");
  EXPECT_TRUE(r.figure.error_bars);
  EXPECT_EQ(r.height_inches, 6.4);
  EXPECT_EQ(r.dpi, 300);
  EXPECT_FALSE(r.dry_run);
  EXPECT_TRUE(r.formats.png);
  EXPECT_TRUE(r.formats.html);
  EXPECT_FALSE(r.formats.svg);
  const pareto_request p = parse_pareto(words{"dir"});
  EXPECT_EQ(p.pareto.user_count_var, "max_concurrency");
  EXPECT_THAT(p.pareto.label_by, testing::ElementsAre("max_concurrency", "gpu_count"));
  EXPECT_EQ(p.pareto.gpu_price_per_hour, std::nullopt);
}

TEST(plot_request, reads_all_options_in_upstreams_spellings) {
  const curves_request r = curves({"--fig_by=a,b", "--row-by", "c",          "dir",
                                   "--col_by",     "d",        "--curve-by", "e, f",
                                   "--var-x=x",    "--var-y",  "y",          "--filter-by",
                                   "a<5,b==2",     "--bin-by", "x%1",        "--scale-x",
                                   "log",          "--fig-n",  "N",          "--no-error-bars",
                                   "--fig-height", "3.5",      "--fig-dpi",  "100",
                                   "--dry-run",    "--format", "svg",        "--save-data",
                                   "--fig-dir",    "figs",     "--var-x",    "z"});
  EXPECT_EQ(r.folder, "dir");
  EXPECT_THAT(r.figure_by, testing::ElementsAre("a", "b"));
  EXPECT_THAT(r.figure.row_by, testing::ElementsAre("c"));
  EXPECT_THAT(r.figure.column_by, testing::ElementsAre("d"));
  EXPECT_THAT(r.figure.curve_by, testing::ElementsAre("e", " f"));
  EXPECT_EQ(r.figure.x, "z");
  EXPECT_EQ(r.figure.filters.size(), 2U);
  EXPECT_EQ(r.figure.binners.size(), 1U);
  EXPECT_EQ(r.figure.scale_x, "log");
  EXPECT_EQ(r.figure_name, "N");
  EXPECT_FALSE(r.figure.error_bars);
  EXPECT_EQ(r.height_inches, 3.5);
  EXPECT_EQ(r.dpi, 100);
  EXPECT_TRUE(r.dry_run);
  EXPECT_TRUE(r.formats.svg);
  EXPECT_FALSE(r.formats.png);
  EXPECT_TRUE(r.save_data);
  EXPECT_EQ(r.figure_dir, "figs");
}

TEST(plot_request, an_empty_list_of_labels_means_no_labels) {
  EXPECT_TRUE(parse_pareto(words{"dir", "--label-by", ""}).pareto.label_by.empty());
}

TEST(plot_request, a_folder_may_begin_with_a_dash_after_two_dashes) {
  EXPECT_EQ(curves({"--dry-run", "--", "--dir"}).folder, "--dir");
}

TEST(plot_request, arguments_that_cannot_be_read_are_usage_errors) {
  EXPECT_EQ(curves_error({}), "2 the folder of the experiment is missing; see --help");
  EXPECT_THAT(curves_error({"a", "b"}), testing::StartsWith("2 one folder is expected"));
  EXPECT_EQ(curves_error({"a", "--var-z", "b"}), "2 unknown option --var-z; did you mean --var-x?");
  EXPECT_EQ(curves_error({"a", "--var", "b"}),
            "2 --var is ambiguous; write one of --var-x, --var-y");
  EXPECT_EQ(curves_error({"a", "--var-x"}), "2 --var-x: needs a value; write --var-x KEY");
  EXPECT_EQ(curves_error({"a", "--dry-run=yes"}), "2 --dry-run: takes no value");
  EXPECT_EQ(curves_error({"a", "--fig-dpi", "1.5"}),
            "2 --fig-dpi: \"1.5\" is not a whole number from 1 to 2400");
  EXPECT_EQ(curves_error({"a", "--fig-height", "nan"}),
            "2 --fig-height: \"nan\" is not a number above 0 and at most 100");
  EXPECT_EQ(curves_error({"a", "--format", "pdf"}),
            "2 --format: \"pdf\" is not a format; use png, svg and html");
  EXPECT_EQ(curves_error({"a", "--format", ""}),
            "2 --format: names no format; use png, svg and html");
  EXPECT_EQ(curves_error({"a", "-x"}), "2 unknown option -x; --help lists all options");
}

TEST(plot_request, filters_binners_and_scales_are_other_errors) {
  EXPECT_THAT(curves_error({"a", "--filter-by", "x"}), testing::StartsWith("1 --filter-by: "));
  EXPECT_THAT(curves_error({"a", "--bin-by", "x"}), testing::StartsWith("1 --bin-by: "));
  EXPECT_THAT(curves_error({"a", "--scale-y", "x"}), testing::StartsWith("1 --scale-y: "));
}

TEST(plot_request, help_lists_every_option) {
  const std::string folder = INFERBENCH_FIXTURES "/plot/";
  const words help{"--help"};
  support::expect_golden(parse_curves(help).help, folder + "help_plot.txt");
  support::expect_golden(parse_pareto(help).help, folder + "help_plot_pareto.txt");
  support::expect_golden(parse_boundary(help).help, folder + "help_boundary.txt");
}

}  // namespace
}  // namespace inferbench::plot

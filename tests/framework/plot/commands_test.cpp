// The commands with the experiment of tests/fixtures/plot: printed lines and files.
#include "plot/commands.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::plot {
namespace {

namespace fs = std::filesystem;
using command = void (*)(std::span<const std::string>, base::output&);

const std::string plot_fixtures = INFERBENCH_FIXTURES "/plot/";

/// A copy of the experiment, in which a command may write.
struct copied_experiment {
  copied_experiment() {
    fs::copy(plot_fixtures + "experiment", folder.path("exp"), fs::copy_options::recursive);
  }

  /// The text that the command prints, with EXP for the folder; then the error, if there is one.
  std::string printed(command run, std::vector<std::string> args) const {
    args.insert(args.begin(), folder.path("exp"));
    std::FILE* const file = std::tmpfile();
    base::output out(file);
    std::string error;
    try {
      run(args, out);
    } catch (const base::error& e) {
      error = std::string("error: ") + e.what() + "\n";
    }
    out.flush();
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    text += error;
    const std::string path = folder.path("exp");
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at))
      text.replace(at, path.size(), "EXP");
    return text;
  }

  [[nodiscard]] bool has(const std::string& name) const {
    return fs::exists(folder.path("exp/" + name));
  }

  support::temporary_folder folder;
};

TEST(plot_commands, a_dry_run_prints_upstreams_lines_and_only_creates_the_folder) {
  const copied_experiment exp;
  support::expect_golden(
      exp.printed(&draw, {"--dry-run", "--fig-by", "tensor_parallel_size", "--row-by", "backend",
                          "--col-by", "max_concurrency", "--fig-dir", "figs"}),
      plot_fixtures + "dry_run.txt");
  EXPECT_TRUE(fs::is_empty(exp.folder.path("exp/figs")));
}

TEST(plot_commands, a_dry_run_of_pareto_prints_the_block_only_and_creates_the_folder) {
  const copied_experiment exp;
  EXPECT_EQ(exp.printed(&draw_pareto, {"--dry-run"}),
            "[BEGIN FIGURE]\nGroup: {}\nOutput file: EXP/pareto/PARETO.png\n[END FIGURE]\n");
  EXPECT_TRUE(fs::is_empty(exp.folder.path("exp/pareto")));
}

TEST(plot_commands, figures_are_drawn_in_all_formats_with_their_data) {
  const copied_experiment exp;
  support::expect_golden(
      exp.printed(&draw, {"--fig-by", "enable_prefix_caching", "--curve-by", "tensor_parallel_size",
                          "--var-x", "max_concurrency", "--format", "png,svg,html", "--save-data",
                          "--fig-dpi", "50"}),
      plot_fixtures + "drawn.txt");
  for (const char* value : {"True", "False"}) {
    const std::string name = std::string("FIGURE-enable_prefix_caching=") + value;
    EXPECT_TRUE(exp.has(name + ".png"));
    EXPECT_TRUE(exp.has(name + ".svg"));
    support::expect_golden(base::read_file(exp.folder.path("exp/" + name + ".data.json")),
                           plot_fixtures + name + ".data.json");
  }
  EXPECT_TRUE(exp.has("FIGURE.html"));
}

TEST(plot_commands, pareto_names_the_runs_behind_each_point_and_the_unstable_ones) {
  const copied_experiment exp;
  support::expect_golden(
      exp.printed(&draw_pareto, {"--gpu-price-per-hour", "2.5", "--save-data", "--fig-dpi", "50"}),
      plot_fixtures + "pareto.txt");
  for (const char* ending : {"png", "html", "data.json"})
    EXPECT_TRUE(exp.has(std::string("pareto/PARETO.") + ending)) << ending;
  EXPECT_FALSE(exp.has("pareto/PARETO.svg"));
}

TEST(plot_commands, boundary_prints_the_table_and_writes_it) {
  const copied_experiment exp;
  support::expect_golden(exp.printed(&show_boundary, {"--group-by", "tensor_parallel_size"}),
                         plot_fixtures + "boundary.txt");
  support::expect_golden(base::read_file(exp.folder.path("exp/boundary.csv")),
                         plot_fixtures + "boundary.csv");
}

TEST(plot_commands, boundary_notices_rows_that_mix_combinations) {
  const copied_experiment exp;
  EXPECT_THAT(exp.printed(&show_boundary, {}),
              testing::HasSubstr("Note: a row has runs of several combinations"));
}

TEST(plot_commands, filters_that_leave_nothing_are_named_and_no_file_is_written) {
  const copied_experiment exp;
  EXPECT_EQ(exp.printed(&draw, {"--filter-by", "request_rate==40,max_concurrency>99"}),
            "[BEGIN FIGURE]\nGroup: {}\nGrid: 1 rows x 1 cols\nOutput file: EXP/FIGURE.png\n"
            "No data to plot with the filters: request_rate==40,max_concurrency>99\n"
            "[END FIGURE]\n");
  EXPECT_FALSE(exp.has("FIGURE.png"));
  EXPECT_FALSE(exp.has("FIGURE.html"));
}

TEST(plot_commands, an_error_in_a_figure_is_reported_after_the_other_figures) {
  const copied_experiment exp;
  exp.folder.write("exp/summary.json",
                   R"([{"g": 1, "x": 1, "y": "slow"}, {"g": 2, "x": null, "y": 1}])");
  for (const auto& entry : fs::directory_iterator(exp.folder.path("exp")))
    if (entry.path().filename().string().starts_with("SERVE")) fs::remove_all(entry.path());
  EXPECT_EQ(exp.printed(&draw, {"--fig-by", "g", "--var-x", "x", "--var-y", "y"}),
            "[BEGIN FIGURE]\nGroup: {'g': '1'}\nGrid: 1 rows x 1 cols\n"
            "Output file: EXP/FIGURE-g=1.png\n"
            "[FAILED FIGURE] --var-y: EXP/summary.json: run 0: y is \"slow\" and not a number; "
            "choose a column of numbers\n[END FIGURE]\n"
            "[BEGIN FIGURE]\nGroup: {'g': '2'}\nGrid: 1 rows x 1 cols\n"
            "Output file: EXP/FIGURE-g=2.png\n"
            "No data to plot: 1 run is without a finite x and y\n[END FIGURE]\n"
            "error: 1 of 2 figures failed; the reasons follow [FAILED FIGURE] in the output\n");
}

TEST(plot_commands, the_error_of_an_only_figure_is_printed_once) {
  const copied_experiment exp;
  const std::string text = exp.printed(&draw, {"--var-x", "max_concurency"});
  EXPECT_THAT(text, testing::HasSubstr("Output file: EXP/FIGURE.png\n[FAILED FIGURE]\n"
                                       "[END FIGURE]\nerror: --var-x: no run has the column "
                                       "\"max_concurency\"; did you mean max_concurrency? "));
  EXPECT_EQ(text.find("max_concurency"), text.rfind("max_concurency"));
}

TEST(plot_commands, keys_of_labels_that_no_run_has_are_named) {
  const copied_experiment exp;
  EXPECT_THAT(exp.printed(&draw_pareto, {"--dry-run", "--label-by", "max_concurency,gpu_count"}),
              testing::StartsWith("Note: no run has the key max_concurency of --label-by; did you "
                                  "mean max_concurrency?\n[BEGIN FIGURE]\n"));
}

TEST(plot_commands, two_figures_with_one_file_name_are_refused) {
  const support::temporary_folder folder;
  folder.write("summary.json",
               R"([{"g": "a/b", "x": null, "y": 1}, {"g": "a_b", "x": 1, "y": 1}])");
  std::FILE* const file = std::tmpfile();
  base::output out(file);
  const std::vector<std::string> args{folder.path(), "--fig-by", "g", "--var-x",
                                      "x",           "--var-y",  "y"};
  EXPECT_THROW(draw(args, out), base::error);
  std::fclose(file);
}

}  // namespace
}  // namespace inferbench::plot

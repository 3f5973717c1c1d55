#include "plot/picture_files.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::plot {
namespace {

TEST(picture_files, paths_are_joined_as_in_pathlib) {
  EXPECT_EQ(joined_path("results/x", ""), "results/x");
  EXPECT_EQ(joined_path("./results//x/", "figs/."), "results/x/figs");
  EXPECT_EQ(joined_path("results", "/tmp/figs"), "/tmp/figs");
  EXPECT_EQ(joined_path("../results", "../figs"), "../results/../figs");
  EXPECT_EQ(joined_path(".", ""), ".");
  EXPECT_EQ(joined_path("/", ""), "/");
}

TEST(picture_files, names_of_figures_are_sanitised) {
  EXPECT_EQ(figure_path("d", "FIGURE", {}), "d/FIGURE");
  EXPECT_EQ(figure_path("d", "FIGURE", {{"tp", "2"}, {"model", "org/m"}}),
            "d/FIGURE-tp=2-model=org_m");
  EXPECT_EQ(figure_path("d", "../x", {}), "d/___x");
  EXPECT_EQ(figure_path("d", "'x'", {}), "d/x'");
  EXPECT_THROW(static_cast<void>(figure_path("d", "", {})), base::error);
  EXPECT_THROW(static_cast<void>(figure_path("d", "'", {})), base::error);
}

TEST(picture_files, the_title_of_a_page_is_the_name_of_the_folder_and_of_the_figures) {
  EXPECT_EQ(page_title("results/night", ""), "night");
  EXPECT_EQ(page_title("results/night/", "Pareto frontier"), "night: Pareto frontier");
  EXPECT_EQ(page_title("results/night/.", "x"), "night: x");
  EXPECT_EQ(page_title("/", "x"), "x");
  EXPECT_EQ(page_title(".", ""), std::filesystem::current_path().filename().string());
}

TEST(picture_files, a_text_replaces_the_file_and_leaves_no_other) {
  const support::temporary_folder folder;
  write_text(folder.path("a.json"), "1");
  write_text(folder.path("a.json"), "22");
  EXPECT_EQ(base::read_file(folder.path("a.json")), "22");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_THROW(write_text(folder.path("missing/a.json"), "1"), base::error);
  std::filesystem::create_directory(folder.path("b"));
  folder.write("b/c", "");
  EXPECT_THROW(write_text(folder.path("b"), "1"), base::error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(picture_files, a_figure_folder_that_is_a_file_is_an_error) {
  const support::temporary_folder folder;
  make_figure_folder(folder.path("a/b"));
  EXPECT_TRUE(std::filesystem::is_directory(folder.path("a/b")));
  folder.write("f", "");
  EXPECT_THROW(make_figure_folder(folder.path("f/g")), base::error);
}

}  // namespace
}  // namespace inferbench::plot

// Tests the section "What a change touches" of docs/architecture.md: only the row of a figure names
// the figure, only the folder of a traffic pattern names the pattern, and only config names a key.
// Code elsewhere that names them would have to change with them.
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

/// The files below `folder` with a line that `pattern` matches, relative to the source folder.
std::set<std::string> files_with(const std::string& folder, const std::regex& pattern) {
  std::set<std::string> out;
  for (const std::filesystem::path& file : layering::sources_below(layering::root() / folder))
    for (const std::string& line : layering::lines_of(file))
      if (std::regex_search(line, pattern))
        out.insert(std::filesystem::relative(file, layering::root()).string());
  return out;
}

// accumulator.cpp and report.cpp are exceptions: code for the five figures of the live view, and
// for the comparison of TTFT with the time of the first text.
TEST(changes, only_the_row_of_a_figure_names_the_figure) {
  EXPECT_THAT(files_with("framework/metrics", std::regex(R"(\bmetric::[a-z])")),
              testing::ElementsAre("framework/metrics/accumulator.cpp",
                                   "framework/metrics/report.cpp", "framework/metrics/table.cpp"));
}

TEST(changes, only_schedule_names_a_pattern_over_time) {
  const std::regex named(R"(\bschedule::(sine|steps?)\b|\bstd::get(_if)?<(sine|steps)>)");
  EXPECT_THAT(files_with("framework", named), testing::IsEmpty());
  EXPECT_THAT(files_with("framework/schedule", std::regex(R"(\bsine\b)")),
              testing::ElementsAre(
                  "framework/schedule/pattern.cpp", "framework/schedule/pattern.hpp",
                  "framework/schedule/pattern_text.cpp", "framework/schedule/pattern_text.hpp"));
}

// Code outside config reads members of the plan, not keys. options/forwarding.cpp is an exception:
// it lists the keys that plugins get.
TEST(changes, only_config_names_the_path_of_a_key) {
  const std::regex path(
      R"~("(run|server|backend|tokenizer|dataset|load|metrics|client|plugin)\.[a-z-]+")~");
  for (const std::string& file : files_with("framework", path))
    EXPECT_TRUE(file.starts_with("framework/config/") ||
                file.starts_with("framework/options/forwarding.") ||
                file == "framework/options/option.hpp")
        << file;
}

}  // namespace

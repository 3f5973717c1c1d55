// Tests the section "What a change touches" of docs/architecture.md: only the row of a figure names
// the figure, only the folder of a traffic pattern names the pattern, and only config names a key.
// Code elsewhere that names them would have to change with them.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

/// The files below `folder` with a line that `pattern` matches, relative to the source folder.
/// Each match contains one of `parts`; only lines with such a part are matched, because a regular
/// expression is slow.
std::set<std::string> files_with(const std::string& folder, const std::vector<std::string>& parts,
                                 const std::regex& pattern) {
  std::set<std::string> out;
  for (const std::filesystem::path& file : layering::sources_below(layering::root() / folder))
    for (const std::string& line : layering::lines_of(file))
      if (std::ranges::any_of(parts,
                              [&](const auto& part) { return line.find(part) != line.npos; }) &&
          std::regex_search(line, pattern))
        out.insert(std::filesystem::relative(file, layering::root()).string());
  return out;
}

// accumulator.cpp, report.cpp and turns.cpp are exceptions: code for the five figures of the live
// view, for the comparison of TTFT with the time of the first text, and for the latencies of each
// turn, which are those of vLLM's Rust client.
TEST(changes, only_the_row_of_a_figure_names_the_figure) {
  EXPECT_THAT(
      files_with("framework/metrics", {"metric::"}, std::regex(R"(\bmetric::[a-z])")),
      testing::ElementsAre("framework/metrics/accumulator.cpp", "framework/metrics/report.cpp",
                           "framework/metrics/table.cpp", "framework/metrics/turns.cpp"));
}

TEST(changes, only_schedule_names_a_pattern_over_time) {
  const std::regex named(R"(\bschedule::(sine|steps?)\b|\bstd::get(_if)?<(sine|steps)>)");
  EXPECT_THAT(files_with("framework", {"schedule::", "std::get"}, named), testing::IsEmpty());
  EXPECT_THAT(files_with("framework/schedule", {"sine"}, std::regex(R"(\bsine\b)")),
              testing::ElementsAre(
                  "framework/schedule/pattern.cpp", "framework/schedule/pattern.hpp",
                  "framework/schedule/pattern_text.cpp", "framework/schedule/pattern_text.hpp"));
}

// Code outside config reads members of the plan, not keys. options/forwarding.cpp is an exception:
// it lists the keys that plugins get.
TEST(changes, only_config_names_the_path_of_a_key) {
  const std::regex path(
      R"~("(run|server|backend|tokenizer|dataset|load|metrics|client|plugin)\.[a-z-]+")~");
  for (const std::string& file : files_with("framework", {"\""}, path))
    EXPECT_TRUE(file.starts_with("framework/config/") ||
                file.starts_with("framework/options/forwarding.") ||
                file == "framework/options/option.hpp")
        << file;
}

// A key that the plan builder forgets would be printed and documented, but have no effect. Keys
// that are handed on reach the plugin by their name.
TEST(changes, config_reads_every_key_that_it_declares) {
  const std::regex declared(
      R"~(\.table = "([a-z]+)",\s*\.name = "([a-z0-9-]+)"|switched\(\s*"([a-z]+)",\s*"([a-z0-9-]+)")~");
  const std::regex handed_on(R"~(\b(handed_on|general)\()~");
  std::string keys;
  std::string readers;
  for (const char* folder : {"framework/config", "framework/options"})
    for (const std::filesystem::path& file : layering::sources_below(layering::root() / folder)) {
      const bool declares = file.filename().string().starts_with("keys_");
      for (const std::string& line : layering::lines_of(file))
        (declares ? keys : readers) += line + "\n";
    }
  std::size_t checked = 0;
  for (std::sregex_iterator m(keys.begin(), keys.end(), declared), end; m != end; ++m) {
    const std::size_t at = static_cast<std::size_t>(m->position());
    const std::string before =
        keys.substr(at - std::min<std::size_t>(at, 40), std::min<std::size_t>(at, 40));
    if (std::regex_search(before, handed_on)) continue;
    const std::string path =
        (*m)[1].matched ? (*m)[1].str() + "." + (*m)[2].str() : (*m)[3].str() + "." + (*m)[4].str();
    ++checked;
    EXPECT_NE(readers.find('"' + path + '"'), std::string::npos) << path;
  }
  EXPECT_GT(checked, 60U);
}

}  // namespace

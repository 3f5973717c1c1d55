// The architecture as a test: who may include whom. The order of the folders is
// read from framework/CMakeLists.txt, so there is one list.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path root = INFERBENCH_SOURCE;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> folders_in_order() {
  static const std::regex declared(R"(^inferbench_folder\((\w+))");
  std::vector<std::string> names;
  for (const std::string& line : lines_of(root / "framework/CMakeLists.txt"))
    if (std::smatch m; std::regex_search(line, m, declared)) names.push_back(m[1]);
  return names;
}

struct include {
  fs::path file;
  std::string target;
};

std::vector<include> includes_below(const fs::path& folder) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp" && extension != ".c" && extension != ".h")
      continue;
    for (const std::string& line : lines_of(entry.path()))
      if (std::smatch m; std::regex_search(line, m, directive))
        found.push_back({fs::relative(entry.path(), root), m[1]});
  }
  return found;
}

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

TEST(layering, every_framework_folder_stands_in_the_order) {
  const auto order = folders_in_order();
  ASSERT_GE(order.size(), 10U);
  for (const auto& entry : fs::directory_iterator(root / "framework")) {
    if (!entry.is_directory()) continue;
    EXPECT_THAT(order, testing::Contains(entry.path().filename().string()));
  }
}

TEST(layering, a_framework_folder_includes_only_folders_before_it) {
  const auto order = folders_in_order();
  const auto rank = [&](const std::string& name) { return std::ranges::find(order, name); };
  std::size_t checked = 0;
  for (const std::string& folder : order) {
    if (!fs::exists(root / "framework" / folder)) continue;
    for (const include& i : includes_below(root / "framework" / folder)) {
      const std::string target = first_part(i.target);
      if (rank(target) == order.end()) continue;
      ++checked;
      EXPECT_LE(rank(target), rank(folder)) << i.file << " includes " << i.target;
    }
  }
  EXPECT_GT(checked, 50U);
}

TEST(layering, the_sdk_and_the_plugins_see_nothing_of_the_framework) {
  const auto order = folders_in_order();
  std::size_t checked = 0;
  for (const char* folder : {"sdk", "plugins"}) {
    for (const include& i : includes_below(root / folder)) {
      ++checked;
      const std::string target = first_part(i.target);
      EXPECT_FALSE(i.target.find("framework/") != std::string::npos) << i.file;
      // A plugin may have a folder-less header of its own, "json.hpp", but never
      // "base/json.hpp".
      if (i.target.find('/') == std::string::npos) continue;
      EXPECT_THAT(order, testing::Not(testing::Contains(target)))
          << i.file << " includes " << i.target;
    }
  }
  EXPECT_GT(checked, 20U);
}

TEST(layering, no_plugin_links_a_framework_library) {
  static const std::regex link(R"(inferbench(::|_)(\w+))");
  const auto order = folders_in_order();
  for (const auto& entry : fs::recursive_directory_iterator(root / "plugins")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    for (const std::string& line : lines_of(entry.path()))
      for (std::sregex_iterator m(line.begin(), line.end(), link), end; m != end; ++m)
        EXPECT_THAT(order, testing::Not(testing::Contains((*m)[2].str())))
            << entry.path() << ": " << line;
  }
}

TEST(layering, heavy_libraries_stay_out_of_headers) {
  for (const include& i : includes_below(root / "framework")) {
    if (i.file.extension() != ".hpp") continue;
    const std::string target = first_part(i.target);
    EXPECT_NE(target, "boost") << i.file;
    EXPECT_NE(target, "spdlog") << i.file;
    EXPECT_NE(target, "toml++") << i.file;
    EXPECT_NE(target, "protozero") << i.file;
    if (i.file == fs::path("framework/base/json.hpp")) continue;
    EXPECT_NE(target, "rapidjson") << i.file;
  }
}

}  // namespace

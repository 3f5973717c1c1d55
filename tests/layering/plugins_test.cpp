// Tests the architecture of plugins/: each folder with a CMakeLists.txt is a plugin or a library.
// It may include its own headers, the SDK's headers, headers of the folders that it declares after
// USES, and headers of external libraries.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using layering::root;
using testing::Contains;
using testing::IsEmpty;

struct plugin_folder {
  bool library = false;  // other folders can use it
  std::vector<std::string> uses;
};

/// The folders. Their keys are the paths below plugins/, for example "common/hub".
std::map<std::string, plugin_folder> declared_folders() {
  std::map<std::string, plugin_folder> folders;
  for (const auto& entry : fs::recursive_directory_iterator(root() / "plugins")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    const std::string path = fs::relative(entry.path().parent_path(), root() / "plugins").string();
    for (const auto& call : layering::calls_of(entry.path(), "plugins_library"))
      folders[path] = {true, call.values("USES")};
    for (const auto& call : layering::calls_of(entry.path(), "plugins_module"))
      folders[path] = {!call.values("ENTRY").empty(), call.values("USES")};
  }
  return folders;
}

/// The declared folder that contains a header; empty if no declared folder contains it.
std::string folder_of(const std::string& header,
                      const std::map<std::string, plugin_folder>& folders) {
  for (fs::path at = fs::path(header).parent_path(); !at.empty(); at = at.parent_path())
    if (folders.contains(at.string())) return at.string();
  return {};
}

/// `from` and all folders that it uses, directly or indirectly.
std::set<std::string> reach_of(const std::string& from,
                               const std::map<std::string, plugin_folder>& folders) {
  std::set<std::string> reached;
  std::vector<std::string> left{from};
  while (!left.empty()) {
    const std::string next = left.back();
    left.pop_back();
    if (!reached.insert(next).second) continue;
    const auto& uses = folders.at(next).uses;
    left.insert(left.end(), uses.begin(), uses.end());
  }
  return reached;
}

std::vector<fs::path> sources_of(const std::string& folder) {
  return layering::sources_in(root() / "plugins" / folder);
}

TEST(plugins_layering, every_source_is_in_a_folder_that_declares_its_uses) {
  const auto folders = declared_folders();
  EXPECT_GE(folders.size(), 30U);
  for (const fs::path& file : layering::sources_below(root() / "plugins"))
    EXPECT_TRUE(folders.contains(fs::relative(file.parent_path(), root() / "plugins").string()))
        << file;
}

TEST(plugins_layering, a_folder_uses_only_libraries_and_none_uses_itself_through_others) {
  const auto folders = declared_folders();
  for (const auto& [path, declared] : folders)
    for (const std::string& used : declared.uses) {
      ASSERT_TRUE(folders.contains(used)) << path << " uses " << used << ", which is not a folder";
      EXPECT_TRUE(folders.at(used).library) << path << " uses the plugin " << used;
      EXPECT_THAT(reach_of(used, folders), testing::Not(Contains(path)))
          << path << " and " << used << " use each other";
    }
}

TEST(plugins_layering, a_folder_includes_only_declared_folders) {
  const auto folders = declared_folders();
  std::size_t between = 0;
  for (const auto& [path, declared] : folders)
    for (const layering::include& i : layering::includes_of(sources_of(path))) {
      // A folder includes its own headers without a path.
      EXPECT_FALSE(i.target.starts_with("../")) << i.file << " includes " << i.target;
      const std::string used = folder_of(i.target, folders);
      if (used.empty()) continue;
      ++between;
      EXPECT_THAT(declared.uses, Contains(used)) << i.file << " includes " << i.target;
    }
  EXPECT_GT(between, 100U);
}

TEST(plugins_layering, a_folder_declares_nothing_that_it_does_not_include) {
  const auto folders = declared_folders();
  for (const auto& [path, declared] : folders) {
    std::set<std::string> included;
    for (const layering::include& i : layering::includes_of(sources_of(path)))
      included.insert(folder_of(i.target, folders));
    for (const std::string& used : declared.uses)
      EXPECT_THAT(included, Contains(used)) << path << " declares it";
  }
}

// If two classes in one library have the same name, the linker keeps the members of the first class
// for both.
TEST(plugins_layering, no_plugin_has_two_classes_of_one_name) {
  const auto folders = declared_folders();
  std::size_t found = 0;
  for (const auto& [path, declared] : folders) {
    std::vector<fs::path> files;
    for (const std::string& part : reach_of(path, folders))
      std::ranges::copy(sources_of(part), std::back_inserter(files));
    const auto definitions = layering::definitions_of(files);
    found += definitions.size();
    EXPECT_THAT(layering::defined_twice(definitions), IsEmpty()) << "in " << path;
  }
  EXPECT_GT(found, 500U);
}

}  // namespace

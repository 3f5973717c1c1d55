// Tests the architecture of plugins/: each folder with a CMakeLists.txt is a plugin or a library.
// It may include its own headers, the SDK's headers, headers of the folders that it declares after
// USES, and headers of external libraries.
#include <algorithm>
#include <iterator>
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

/// The names of the folders of framework/.
std::vector<std::string> framework_folders() {
  std::vector<std::string> names;
  for (const auto& call :
       layering::calls_of(root() / "framework/CMakeLists.txt", "inferbench_folder"))
    names.push_back(call.arguments.front());
  return names;
}

/// The includes that a folder with `uses` after USES may not have: a header of another folder of
/// `folders`, a header of a folder of `framework`, and a path that hides the folder of its header.
/// `between` counts the includes that name one of `folders`.
std::vector<std::string> forbidden_to_plugin(const std::vector<std::string>& uses,
                                             const std::vector<layering::include>& includes,
                                             const std::map<std::string, plugin_folder>& folders,
                                             const std::vector<std::string>& framework,
                                             std::size_t& between) {
  std::vector<std::string> out;
  for (const layering::include& i : includes) {
    if (layering::is_roundabout(i.target)) {
      out.push_back(i.file.string() + " includes " + i.target);
      continue;
    }
    // A folder includes its own headers without a path.
    const std::string used = folder_of(i.target, folders);
    if (!used.empty()) ++between;
    // The header <compare> of the standard library is not the folder compare.
    const std::string target = layering::first_part(i.target);
    const bool of_framework =
        target != i.target && std::ranges::find(framework, target) != framework.end();
    if (of_framework || (!used.empty() && std::ranges::find(uses, used) == uses.end()))
      out.push_back(i.file.string() + " includes " + i.target);
  }
  return out;
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
  const auto framework = framework_folders();
  ASSERT_GE(framework.size(), 10U);
  std::size_t between = 0;
  for (const auto& [path, declared] : folders)
    EXPECT_THAT(forbidden_to_plugin(declared.uses, layering::includes_of(sources_of(path)), folders,
                                    framework, between),
                IsEmpty());
  EXPECT_GT(between, 100U);
}

TEST(plugins_layering, an_include_of_the_framework_or_of_an_undeclared_folder_is_found) {
  const std::map<std::string, plugin_folder> folders{
      {"backends/openai", {}}, {"backends/bodies", {true, {}}}, {"common/hub", {true, {}}}};
  std::vector<layering::include> includes;
  for (const char* target :
       {"event.hpp", "base.hpp", "compare", "inferbench/backend.hpp", "backends/bodies/body.hpp",
        "common/hub/download.hpp", "backends/openai/event.hpp", "base/json.hpp",
        "framework/base/json.hpp", "../bodies/body.hpp", "../../../framework/base/json.hpp",
        "/src/a.hpp"})
    includes.push_back({"a.cpp", target});
  std::size_t between = 0;
  EXPECT_THAT(
      forbidden_to_plugin({"backends/bodies"}, includes, folders, {"base", "compare"}, between),
      testing::ElementsAre(
          "a.cpp includes common/hub/download.hpp", "a.cpp includes backends/openai/event.hpp",
          "a.cpp includes base/json.hpp", "a.cpp includes framework/base/json.hpp",
          "a.cpp includes ../bodies/body.hpp", "a.cpp includes ../../../framework/base/json.hpp",
          "a.cpp includes /src/a.hpp"));
  EXPECT_EQ(between, 3U);
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
  const auto linked = layering::definitions_of(layering::linked_sources());
  std::size_t found = 0;
  for (const auto& [path, declared] : folders) {
    std::vector<fs::path> files;
    for (const std::string& part : reach_of(path, folders))
      std::ranges::copy(sources_of(part), std::back_inserter(files));
    auto definitions = layering::definitions_of(files);
    found += definitions.size();
    std::ranges::copy(linked, std::back_inserter(definitions));
    EXPECT_THAT(layering::defined_twice(std::move(definitions)), IsEmpty()) << "in " << path;
  }
  EXPECT_GT(found, 500U);
}

}  // namespace

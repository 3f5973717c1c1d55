// Tests the architecture: which folder may include which other folder. The only list is in
// framework/CMakeLists.txt, which declares the folders that each folder USES.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/sources.hpp"

namespace {

namespace fs = std::filesystem;
using layering::include;
using layering::root;

struct folder {
  std::string name;
  std::vector<std::string> uses;
};

/// The folders in the order of their declaration.
std::vector<folder> folders() {
  std::vector<folder> out;
  for (const layering::cmake_call& one :
       layering::calls_of(root() / "framework/CMakeLists.txt", "inferbench_folder"))
    out.push_back({one.arguments.front(), one.values("USES")});
  return out;
}

std::vector<std::string> names_of(const std::vector<folder>& some) {
  std::vector<std::string> out;
  for (const folder& one : some)
    out.push_back(one.name);
  return out;
}

TEST(layering, every_framework_folder_is_declared) {
  const auto names = names_of(folders());
  ASSERT_GE(names.size(), 10U);
  for (const auto& entry : fs::directory_iterator(root() / "framework")) {
    if (!entry.is_directory()) continue;
    EXPECT_THAT(names, testing::Contains(entry.path().filename().string()));
  }
}

TEST(layering, a_folder_uses_only_folders_declared_before_it) {
  std::vector<std::string> before;
  for (const folder& one : folders()) {
    EXPECT_THAT(before, testing::IsSupersetOf(one.uses)) << one.name;
    before.push_back(one.name);
  }
}

/// The includes of `one` that name a folder of `all` which `one` does not declare to use. `checked`
/// counts the includes that name a folder.
std::vector<std::string> forbidden(const folder& one, const std::vector<include>& includes,
                                   const std::vector<std::string>& all, std::size_t& checked) {
  std::vector<std::string> out;
  for (const include& i : includes) {
    const std::string target = layering::first_part(i.target);
    if (target == one.name || std::ranges::find(all, target) == all.end()) continue;
    ++checked;
    if (std::ranges::find(one.uses, target) == one.uses.end())
      out.push_back(i.file.string() + " includes " + i.target);
  }
  return out;
}

TEST(layering, a_framework_folder_includes_only_what_it_declares_to_use) {
  const std::vector<folder> all = folders();
  std::size_t checked = 0;
  for (const folder& one : all)
    EXPECT_THAT(forbidden(one, layering::includes_below(root() / "framework" / one.name),
                          names_of(all), checked),
                testing::IsEmpty());
  EXPECT_GT(checked, 300U);
}

TEST(layering, an_include_that_a_folder_does_not_declare_is_found) {
  std::size_t checked = 0;
  EXPECT_THAT(forbidden({"client", {"base", "transport"}},
                        {{"framework/client/a.cpp", "base/error.hpp"},
                         {"framework/client/a.cpp", "client/b.hpp"},
                         {"framework/client/a.cpp", "config/plan.hpp"},
                         {"framework/client/a.cpp", "vector"}},
                        {"base", "transport", "config", "client"}, checked),
              testing::ElementsAre("framework/client/a.cpp includes config/plan.hpp"));
  EXPECT_EQ(checked, 2U);
}

TEST(layering, what_a_framework_folder_declares_to_use_it_includes) {
  for (const folder& one : folders()) {
    const auto includes = layering::includes_below(root() / "framework" / one.name);
    for (const std::string& use : one.uses)
      EXPECT_TRUE(std::ranges::any_of(
          includes, [&](const include& i) { return layering::first_part(i.target) == use; }))
          << one.name << " includes nothing of " << use;
  }
}

// Two classes with the same name in one program are undefined behaviour that no tool reports: the
// linker keeps the members of only one class.
TEST(layering, the_framework_defines_no_class_twice) {
  EXPECT_THAT(layering::defined_twice(
                  layering::definitions_of(layering::sources_below(root() / "framework"))),
              testing::IsEmpty());
}

TEST(layering, the_sdk_and_the_plugins_see_nothing_of_the_framework) {
  const auto names = names_of(folders());
  std::size_t checked = 0;
  for (const char* folder : {"sdk", "plugins"}) {
    for (const include& i : layering::includes_below(root() / folder)) {
      ++checked;
      const std::string target = layering::first_part(i.target);
      EXPECT_FALSE(i.target.find("framework/") != std::string::npos) << i.file;
      // A plugin may have its own header without a folder, "json.hpp", but not "base/json.hpp".
      if (i.target.find('/') == std::string::npos) continue;
      EXPECT_THAT(names, testing::Not(testing::Contains(target)))
          << i.file << " includes " << i.target;
    }
  }
  EXPECT_GT(checked, 20U);
}

TEST(layering, no_plugin_links_a_framework_library) {
  static const std::regex link(R"(inferbench(::|_)(\w+))");
  const auto names = names_of(folders());
  for (const auto& entry : fs::recursive_directory_iterator(root() / "plugins")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    for (const std::string& line : layering::lines_of(entry.path()))
      for (std::sregex_iterator m(line.begin(), line.end(), link), end; m != end; ++m)
        EXPECT_THAT(names, testing::Not(testing::Contains((*m)[2].str())))
            << entry.path() << ": " << line;
  }
}

TEST(layering, heavy_libraries_stay_out_of_headers) {
  for (const include& i : layering::includes_below(root() / "framework")) {
    if (i.file.extension() != ".hpp") continue;
    const std::string target = layering::first_part(i.target);
    EXPECT_NE(target, "boost") << i.file;
    EXPECT_NE(target, "spdlog") << i.file;
    EXPECT_NE(target, "toml++") << i.file;
    EXPECT_NE(target, "protozero") << i.file;
    if (i.file == fs::path("framework/base/json.hpp")) continue;
    EXPECT_NE(target, "rapidjson") << i.file;
  }
}

}  // namespace

// Tests the architecture: which folder may include which other folder. The only list is in
// framework/CMakeLists.txt, which declares the folders that each folder USES.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
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

/// The includes of `one` that name a folder of `all` which `one` does not declare to use, and those
/// that hide the folder of their header. `checked` counts the includes that name a folder.
std::vector<std::string> forbidden(const folder& one, const std::vector<include>& includes,
                                   const std::vector<std::string>& all, std::size_t& checked) {
  std::vector<std::string> out;
  for (const include& i : includes) {
    const std::string target = layering::first_part(i.target);
    // The header <compare> of the standard library is not the folder compare.
    const bool named =
        target != one.name && target != i.target && std::ranges::find(all, target) != all.end();
    if (named) ++checked;
    if (layering::is_roundabout(i.target) ||
        (named && std::ranges::find(one.uses, target) == one.uses.end()))
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
                         {"framework/client/a.cpp", "compare"}},
                        {"base", "transport", "config", "client", "compare"}, checked),
              testing::ElementsAre("framework/client/a.cpp includes config/plan.hpp"));
  EXPECT_EQ(checked, 2U);
}

TEST(layering, an_include_that_hides_its_folder_is_found) {
  std::size_t checked = 0;
  EXPECT_THAT(forbidden({"client", {"base"}},
                        {{"framework/client/a.cpp", "../config/plan.hpp"},
                         {"framework/client/a.cpp", "client/../config/plan.hpp"},
                         {"framework/client/a.cpp", "base/error.hpp"}},
                        {"base", "config", "client"}, checked),
              testing::ElementsAre("framework/client/a.cpp includes ../config/plan.hpp",
                                   "framework/client/a.cpp includes client/../config/plan.hpp"));
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
TEST(layering, the_program_defines_no_class_twice) {
  auto files = layering::sources_below(root() / "framework");
  std::ranges::move(layering::linked_sources(), std::back_inserter(files));
  EXPECT_THAT(layering::defined_twice(layering::definitions_of(files)), testing::IsEmpty());
}

// plugins_test.cpp tests the same of the plugins.
TEST(layering, the_sdk_sees_nothing_of_the_framework) {
  const auto includes = layering::includes_below(root() / "sdk");
  EXPECT_GT(includes.size(), 100U);
  std::size_t checked = 0;
  EXPECT_THAT(forbidden({"sdk", {}}, includes, names_of(folders()), checked), testing::IsEmpty());
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
    if (i.file != fs::path("framework/records/fields.hpp")) {
      EXPECT_NE(target, "protozero") << i.file;
    }
    if (i.file == fs::path("framework/base/json.hpp")) continue;
    EXPECT_NE(target, "rapidjson") << i.file;
  }
}

/// The tables of keys that the function tables() of config lists; empty if it is not found.
std::vector<std::string> key_tables() {
  static const std::regex list(R"(\btables\(\) \{\s*return \{([^}]*)\};)");
  static const std::regex literal(R"~("([^"]*)")~");
  std::string text;
  for (const std::string& line : layering::lines_of(root() / "framework/config/keys.cpp"))
    text += line + '\n';
  std::vector<std::string> out;
  std::smatch found;
  if (!std::regex_search(text, found, list)) return out;
  const std::string names = found[1];
  for (std::sregex_iterator m(names.begin(), names.end(), literal), end; m != end; ++m)
    out.push_back((*m)[1]);
  return out;
}

/// True if a literal in `line` is the path of a key of one of `tables`: "run.label".
bool names_a_key(const std::string& line, const std::vector<std::string>& tables) {
  return line.find('"') != line.npos &&
         std::ranges::any_of(tables, [&line](const std::string& table) {
           const std::string begin = '"' + table + '.';
           // Few lines need the regular expression, which is slow.
           return line.find(begin) != line.npos &&
                  std::regex_search(line, std::regex('"' + table + R"~(\.[a-z0-9-]+")~"));
         });
}

// Code outside config reads members of the plan, not keys. options/forwarding.* is an exception: it
// lists the keys that plugins get. The comments of options/option.hpp are documentation.
TEST(layering, only_config_names_the_path_of_a_key) {
  const auto tables = key_tables();
  std::set<std::string> found;
  for (const fs::path& file : layering::sources_below(root() / "framework")) {
    const std::string name = fs::relative(file, root()).string();
    if (name.starts_with("framework/config/")) continue;
    for (const std::string& line : layering::lines_of(file))
      if (names_a_key(line, tables)) found.insert(name);
  }
  EXPECT_THAT(found, testing::Contains("framework/options/forwarding.cpp"));
  EXPECT_THAT(found, testing::IsSubsetOf({"framework/options/forwarding.cpp",
                                          "framework/options/forwarding.hpp",
                                          "framework/options/option.hpp"}));
}

TEST(layering, the_path_of_a_key_is_found_for_each_table_of_config) {
  const auto tables = key_tables();
  EXPECT_THAT(tables, testing::IsSupersetOf({"run", "server", "backend", "tokenizer", "dataset",
                                             "load", "metrics", "thresholds", "scorer", "observe",
                                             "client", "plugin", "reporter"}));
  for (const std::string& table : tables)
    EXPECT_TRUE(names_a_key("value(\"" + table + ".a-key-2\")", tables)) << table;
  for (const char* line : {R"(value("sampling.top-p"))", "plan.load.rate", R"(at("run.py file"))",
                           R"(at("run."))", R"(at("rerun.label"))"})
    EXPECT_FALSE(names_a_key(line, tables)) << line;
}

}  // namespace

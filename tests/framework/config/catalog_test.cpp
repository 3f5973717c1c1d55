#include "config/catalog.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

TEST(installed_catalog, lists_plugins_without_opening_them) {
  const support::temporary_folder files;
  files.write("tokenizers/never-opened.so", "no library");
  installed_catalog plugins;
  EXPECT_FALSE(plugins.installed(IFB_TOKENIZER, "never-opened"));
  plugins.look_in({files.root}, true);
  EXPECT_TRUE(plugins.installed(IFB_TOKENIZER, "never-opened"));
  EXPECT_FALSE(plugins.installed(IFB_DATASET, "never-opened"));
  EXPECT_TRUE(plugins.search().allow_unsafe);
  EXPECT_EQ(plugins.search().folders.front(), files.root);
}

TEST(installed_catalog, knows_the_plugins_that_came_with_the_program_by_folder_and_name) {
  installed_catalog plugins;
  ifb_plugin described{};
  described.struct_size = sizeof described;
  described.kind = IFB_DATASET;
  described.id = "numbers";
  plugin::loaded one;
  one.plugin = &described;
  EXPECT_FALSE(plugins.came_with_program(one)) << "there is no search path yet";
  plugins.look_in({}, false);
  ASSERT_FALSE(plugins.search().builtin.empty());
  const auto folder = std::filesystem::weakly_canonical(plugins.search().builtin);
  one.file = folder / "datasets" / "numbers.so";
  EXPECT_TRUE(plugins.came_with_program(one));
  one.file = folder / "datasets" / "acme.so";
  EXPECT_FALSE(plugins.came_with_program(one)) << "a library of another author beside ours";
  one.file = folder / "backends" / "numbers.so";
  EXPECT_FALSE(plugins.came_with_program(one));
  one.file = "/somewhere/datasets/numbers.so";
  EXPECT_FALSE(plugins.came_with_program(one));
}

}  // namespace
}  // namespace inferbench::config

#include "config/catalog.hpp"

#include <fstream>

#include <gtest/gtest.h>

namespace inferbench::config {
namespace {

TEST(installed_catalog, lists_plugins_without_opening_them) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "inferbench_config_catalog";
  std::filesystem::create_directories(folder / "tokenizers");
  std::ofstream(folder / "tokenizers" / "never-opened.so") << "no library";
  installed_catalog plugins;
  EXPECT_FALSE(plugins.installed(IFB_TOKENIZER, "never-opened"));
  plugins.look_in({folder}, true);
  EXPECT_TRUE(plugins.installed(IFB_TOKENIZER, "never-opened"));
  EXPECT_FALSE(plugins.installed(IFB_DATASET, "never-opened"));
  EXPECT_TRUE(plugins.search().allow_unsafe);
  EXPECT_EQ(plugins.search().folders.front(), folder);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace inferbench::config

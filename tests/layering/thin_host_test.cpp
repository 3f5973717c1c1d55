// Tests that the host does not depend on particular plugins: it loads plugins by the names that
// users give. The files upstream* of a folder are the exceptions, because the flags of `vllm bench`
// and its scripts name plugins.
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

/// The names of the plugins as literals of C++, from the names of their folders.
std::set<std::string> plugin_names() {
  std::set<std::string> out;
  for (const char* kind : {"backends", "datasets", "reporters", "tokenizers", "scorers"})
    for (const auto& entry : fs::directory_iterator(layering::root() / "plugins" / kind))
      if (entry.is_directory()) out.insert('"' + entry.path().filename().string() + '"');
  return out;
}

// Names of plugins that the host also uses with other meanings: a table of keys, kinds of a
// sample's part, a unit, an order of adapters, a task, a fact of a run, a member of a sample.
const std::set<std::string> ambiguous{R"("server")", R"("audio")", R"("json")", R"("bytes")",
                                      R"("random")", R"("pooling")", R"("conversations")",
                                      R"("media")",
                                      // These are names of commands, too.
                                      R"("multi-turn")", R"("structured-output")"};

TEST(thin_host, no_source_except_upstream_names_a_plugin) {
  std::set<std::string> names = plugin_names();
  ASSERT_GE(names.size(), 20U);
  std::erase_if(names, [](const std::string& name) { return ambiguous.contains(name); });
  std::vector<std::string> found;
  std::size_t lines = 0;
  for (const fs::path& file : layering::sources_below(layering::root() / "framework")) {
    if (file.filename().string().starts_with("upstream")) continue;
    for (const std::string& line : layering::lines_of(file)) {
      ++lines;
      if (line.find('"') == std::string::npos || line.find("//") != std::string::npos) continue;
      for (const std::string& name : names)
        if (line.find(name) != std::string::npos)
          found.push_back(fs::relative(file, layering::root()).string() + ": " + line);
    }
  }
  EXPECT_GT(lines, 20'000U);
  EXPECT_THAT(found, testing::IsEmpty());
}

}  // namespace

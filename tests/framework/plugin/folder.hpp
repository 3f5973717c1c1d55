// A temporary folder for each test, with the layout of a plugin folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "plugin/library.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

inline fs::path fixture(const std::string& name) {
  return fs::path(PLUGIN_LIBRARIES) / (name + ".so");
}

class folder_test : public testing::Test {
 protected:
  folder_test() {
    for (const ifb_kind kind : all_kinds)
      fs::create_directory(root / folder_of(kind));
    search.folders = {root};
  }

  /// A copy of a fixture under another name, which a test may damage.
  fs::path put(const std::string& name, const fs::path& as) const {
    fs::copy_file(fixture(name), root / as);
    return root / as;
  }
  fs::path link(const fs::path& to, const fs::path& as) const {
    fs::create_symlink(to, root / as);
    return root / as;
  }
  fs::path write(const fs::path& as, const std::string& content) const {
    std::ofstream(root / as) << content;
    return root / as;
  }

  support::temporary_folder files;
  const fs::path& root = files.root;
  search_path search;
};

/// The message of the error that `act` throws, for the user; empty: no error.
template <typename action>
std::string error_of(action&& act) {
  try {
    act();
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

}  // namespace inferbench::plugin

// Texts as recorded under tests/fixtures. Run a test with INFERBENCH_RECORD=1 in the
// environment to record what it found; then read the difference before committing it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::support {

/// Compares, or records.
inline void expect_golden(const std::string& found, const std::string& path) {
  if (std::getenv("INFERBENCH_RECORD") != nullptr) {
    std::ofstream(path, std::ios::binary) << found;
    return;
  }
  EXPECT_EQ(found, base::read_file(path)) << path;
}

}  // namespace inferbench::support

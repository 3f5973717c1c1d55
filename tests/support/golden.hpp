// Compares texts with golden files under tests/fixtures. INFERBENCH_RECORD=1 in the environment
// records the new texts; the difference must be read before it is committed.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::support {

/// Compares, or records if INFERBENCH_RECORD is set.
inline void expect_golden(const std::string& found, const std::string& path) {
  if (std::getenv("INFERBENCH_RECORD") != nullptr) {
    std::ofstream(path, std::ios::binary) << found;
    return;
  }
  EXPECT_EQ(found, base::read_file(path)) << path;
}

}  // namespace inferbench::support

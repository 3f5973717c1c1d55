// Tests read(): some tests read a file in /proc whose process may end at any time.
#include "program/cli/process.hpp"

#include <gtest/gtest.h>

namespace inferbench::testing {
namespace {

// A folder stands for a file in /proc whose process has ended since the file was opened: the kernel
// opens both and then refuses to read them.
TEST(read_of_a_file, gives_an_empty_text_if_the_file_opens_but_cannot_be_read) {
  const folder where;
  EXPECT_EQ(read(where.path()), "");
  EXPECT_EQ(read(where.path("missing")), "");
}

}  // namespace
}  // namespace inferbench::testing

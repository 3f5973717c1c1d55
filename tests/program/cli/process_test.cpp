// Tests the helper itself: the processes of other tests may end while their files are read.
#include "program/cli/process.hpp"

#include <gtest/gtest.h>

namespace inferbench::testing {
namespace {

// The kernel lets a folder be opened, but not read, as it does with files of a process in /proc
// that has ended since they were opened.
TEST(read_of_a_file, gives_an_empty_text_if_the_file_opens_but_cannot_be_read) {
  const folder where;
  EXPECT_EQ(read(where.path()), "");
  EXPECT_EQ(read(where.path("missing")), "");
}

}  // namespace
}  // namespace inferbench::testing

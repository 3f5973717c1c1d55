#include "check/dataset_rows.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace inferbench::check {
namespace {

TEST(dataset_rows, count_from_1_in_messages) {
  EXPECT_EQ(name_of_row(0), "row 1");
  EXPECT_EQ(name_of_row(UINT64_MAX - 1), "row 18446744073709551615");
  EXPECT_EQ(name_of_row(UINT64_MAX), "row 18446744073709551616");
}

}  // namespace
}  // namespace inferbench::check

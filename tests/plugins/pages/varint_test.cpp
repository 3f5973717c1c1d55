#include "reporters/pages/varint.hpp"

#include <gtest/gtest.h>

namespace {

TEST(varint, every_number_is_read_as_it_was_written) {
  std::string bytes;
  const std::uint64_t numbers[] = {0, 1, 127, 128, 300, 16'383, 16'384, 1ULL << 40U, UINT64_MAX};
  for (const std::uint64_t each : numbers)
    reporters::append_varint(bytes, each);
  EXPECT_EQ(bytes.substr(0, 6), std::string("\x00\x01\x7F\x80\x01\xAC", 6));
  std::size_t at = 0;
  for (const std::uint64_t each : numbers)
    EXPECT_EQ(reporters::read_varint(bytes, at), each);
  EXPECT_EQ(at, bytes.size());
}

TEST(varint, small_numbers_of_either_sign_have_small_codes) {
  EXPECT_EQ(reporters::zigzag(0), 0U);
  EXPECT_EQ(reporters::zigzag(-1), 1U);
  EXPECT_EQ(reporters::zigzag(1), 2U);
  EXPECT_EQ(reporters::zigzag(-2), 3U);
  for (const std::int64_t each : {std::int64_t{0}, std::int64_t{-7}, INT64_MAX, INT64_MIN})
    EXPECT_EQ(reporters::from_zigzag(reporters::zigzag(each)), each);
}

}  // namespace

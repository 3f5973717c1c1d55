#include "records/crc32c.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::records {
namespace {

TEST(crc32c, agrees_with_the_vectors_of_rfc_3720) {
  std::string ascending;
  for (char c = 0; c < 32; ++c)
    ascending += c;
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(ascending), 0x46DD794EU);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(crc32c, goes_on_from_where_it_was) {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
}

}  // namespace
}  // namespace inferbench::records

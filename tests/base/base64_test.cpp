#include "base/base64.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::base {

TEST(base64, pads_as_the_standard_says) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64(std::string("\0\xFF", 2)), "AP8=");
}

TEST(base64, joins_pieces_of_long_input_without_seam) {
  const std::string text = base64(std::string((std::size_t{3} << 20U) + 1, 'a'));
  EXPECT_EQ(text.find('='), text.size() - 2);
  EXPECT_EQ(text.size(), ((std::size_t{3} << 20U) + 3) / 3 * 4);
}

}  // namespace inferbench::base

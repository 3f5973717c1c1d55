#include "datasets/media/unusable.hpp"

#include <gtest/gtest.h>

namespace {

TEST(unusable, is_one_clause_on_one_line) {
  const row_media::unusable why("cannot read a;b; c\n\x01: no; way");
  EXPECT_STREQ(why.what(), "cannot read a;b, c??: no, way");
}

TEST(unusable, shows_long_names_in_part) {
  EXPECT_EQ(row_media::shown("a.png"), "a.png");
  EXPECT_EQ(row_media::shown(std::string(300, 'x')), std::string(300, 'x'));
  EXPECT_EQ(row_media::shown(std::string(301, 'x')), std::string(300, 'x') + "...");
  EXPECT_EQ(row_media::shown(std::string(299, 'x') + "é"), std::string(299, 'x') + "...");
}

}  // namespace

#include "comparison/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using inferbench::comparison::table_lines;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(a_table, begins_the_first_and_the_last_column_at_the_left) {
  EXPECT_THAT(table_lines({{"a", "long", "end"}, {"word", "1", "x"}}),
              ElementsAre("a     long  end", "word     1  x"));
}

TEST(a_table, counts_characters_and_not_bytes) {
  EXPECT_THAT(table_lines({{"\xc3\xa9", "1", "x"}, {"ab", "2", "y"}}),
              ElementsAre("\xc3\xa9   1  x", "ab  2  y"));
}

TEST(a_table, has_no_lines_without_rows) { EXPECT_THAT(table_lines({}), IsEmpty()); }

}  // namespace

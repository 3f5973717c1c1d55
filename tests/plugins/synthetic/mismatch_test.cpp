#include "datasets/synthetic/mismatch.hpp"

#include <gtest/gtest.h>

namespace synthetic {
namespace {

TEST(mismatches, are_not_reported_if_there_are_none) {
  mismatches all;
  EXPECT_EQ(all.text(), "");
  all.add(0);
  EXPECT_EQ(all.text(), "");
}

TEST(mismatches, do_not_cancel_each_other_out) {
  mismatches all;
  all.add(3);
  all.add(0);
  all.add(-3);
  EXPECT_EQ(all.text(),
            "2 of 3 prompts are not of the length asked for: 3 tokens too many and 3 tokens too "
            "few in all, as some ids do not survive decoding and encoding");
}

TEST(mismatches, of_one_prompt_read_well) {
  mismatches all;
  all.add(-1);
  all.add(0);
  EXPECT_EQ(all.text("pieces"),
            "1 of 2 pieces is not of the length asked for: 1 token too few in all, as some ids do "
            "not survive decoding and encoding");
}

TEST(row_mismatches, count_each_row_once_and_tell_when_all_were_read) {
  row_mismatches rows;
  rows.expect(3);
  EXPECT_EQ(rows.add(0, 2), "");
  EXPECT_EQ(rows.add(0, 2), "") << "read again";
  EXPECT_EQ(rows.add(2, 0), "");
  EXPECT_NE(rows.add(1, -1).find("2 of 3 prompts"), std::string::npos);
  EXPECT_EQ(rows.add(1, -1), "");
}

TEST(row_mismatches, of_other_rows_are_not_counted_and_a_new_number_begins_again) {
  row_mismatches rows;
  rows.expect(2);
  EXPECT_EQ(rows.add(0, 5), "");
  EXPECT_EQ(rows.add(2, 5), "") << "not one of the two";
  rows.expect(1);
  EXPECT_NE(rows.add(0, 1).find("1 of 1 prompts"), std::string::npos);
}

}  // namespace
}  // namespace synthetic

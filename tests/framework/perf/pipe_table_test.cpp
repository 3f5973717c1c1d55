#include "perf/pipe_table.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::perf {
namespace {

using options::node;

node whole(std::int64_t value) { return node::of(value); }
node real(double value) { return node::of(value); }
node text(const char* value) { return node::of(std::string(value)); }

TEST(a_pipe_table, aligns_texts_to_the_left_and_whole_numbers_to_the_right) {
  EXPECT_EQ(pipe_table({{"name", {text("a"), text("longer name")}}, {"n", {whole(5), whole(128)}}}),
            "| name        |   n |\n"
            "|:------------|----:|\n"
            "| a           |   5 |\n"
            "| longer name | 128 |");
}

TEST(a_pipe_table, has_six_significant_digits_and_aligns_the_points) {
  EXPECT_EQ(pipe_table({{"x", {real(1036.8), real(8.123456789), real(12), real(1234567.8)}}}),
            "|              x |\n"
            "|---------------:|\n"
            "| 1036.8         |\n"
            "|    8.12346     |\n"
            "|   12           |\n"
            "|    1.23457e+06 |");
}

TEST(a_pipe_table, reads_texts_of_numbers_as_numbers) {
  EXPECT_EQ(pipe_table({{"qps", {text("inf"), whole(4), text("0.50")}}}),
            "|   qps |\n"
            "|------:|\n"
            "| inf   |\n"
            "|   4   |\n"
            "|   0.5 |");
  EXPECT_EQ(pipe_table({{"n", {text("007"), whole(1)}}}),
            "|   n |\n"
            "|----:|\n"
            "| 007 |\n"
            "|   1 |");
  EXPECT_EQ(pipe_table({{"n", {text("infinity"), whole(1)}}}),
            "| n        |\n"
            "|:---------|\n"
            "| infinity |\n"
            "| 1        |");
}

TEST(a_pipe_table, shows_gaps_nulls_and_booleans_like_python) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(pipe_table({{"a", {real(nan), real(1.5)}},
                        {"b", {node{}, text("x")}},
                        {"c", {node::of(true), node::of(false)}}}),
            "|     a | b   | c     |\n"
            "|------:|:----|:------|\n"
            "| nan   |     | True  |\n"
            "|   1.5 | x   | False |");
}

TEST(a_pipe_table, counts_characters_and_not_bytes) {
  EXPECT_EQ(pipe_table({{"né", {text("é"), text("abcdefg")}}}),
            "| né      |\n"
            "|:--------|\n"
            "| é       |\n"
            "| abcdefg |");
}

TEST(a_pipe_table, keeps_a_cell_in_its_row) {
  EXPECT_EQ(pipe_table({{"a", {text(" x\ny ")}}}),
            "| a   |\n"
            "|:----|\n"
            "| x y |");
}

TEST(a_pipe_table, without_columns_is_empty) { EXPECT_EQ(pipe_table({}), ""); }

}  // namespace
}  // namespace inferbench::perf

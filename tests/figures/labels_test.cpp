#include "labels.hpp"

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace figures;

std::vector<writing> texts_of(const scene& from) {
  std::vector<writing> out;
  for (const shape& each : from.shapes)
    if (const auto* text = std::get_if<writing>(&each)) out.push_back(*text);
  return out;
}

TEST(labels_of_points, lie_right_above_their_point_if_there_is_room) {
  label_places labels({0, 0, 300, 200});
  labels.add_label({100, 100}, 6, "a=1\nb=2");
  scene drawn;
  EXPECT_EQ(labels.draw(drawn), 0U);
  const std::vector<writing> texts = texts_of(drawn);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].text, "a=1");
  EXPECT_GT(texts[0].at.x, 100);
  EXPECT_LT(texts[1].at.y, 100);
  EXPECT_LT(texts[0].at.y, texts[1].at.y);
}

TEST(labels_of_points, stay_in_the_panel) {
  label_places labels({0, 0, 300, 200});
  labels.add_label({299, 1}, 6, "a=1");
  scene drawn;
  EXPECT_EQ(labels.draw(drawn), 0U);
  EXPECT_LT(texts_of(drawn)[0].at.x, 290);
  EXPECT_GT(texts_of(drawn)[0].at.y, 5);
}

TEST(labels_of_points, leave_lines_and_markers_free) {
  label_places labels({0, 0, 300, 200});
  labels.add_line({100, 100}, {200, 20});  // through the place at the right above
  labels.add_marker({85, 90}, 6);          // in the place at the left above
  labels.add_label({100, 100}, 6, "abc");
  scene drawn;
  EXPECT_EQ(labels.draw(drawn), 0U);
  EXPECT_GT(texts_of(drawn)[0].at.y, 100);
}

TEST(labels_of_points, cover_a_line_rather_than_be_left_out) {
  label_places labels({0, 0, 60, 30});
  for (int y = 0; y <= 30; ++y)
    labels.add_line({0, static_cast<double>(y)}, {60, static_cast<double>(y)});
  labels.add_label({10, 15}, 6, "abc");
  scene drawn;
  EXPECT_EQ(labels.draw(drawn), 0U);
  EXPECT_EQ(texts_of(drawn).size(), 1U);
}

TEST(labels_of_points, without_room_are_counted) {
  label_places labels({0, 0, 120, 60});
  for (int i = 0; i < 50; ++i)
    labels.add_label({60, 30}, 6, "number " + std::to_string(i));
  scene drawn;
  const std::size_t left_out = labels.draw(drawn);
  EXPECT_GT(left_out, 30U);
  EXPECT_EQ(texts_of(drawn).size(), 50 - left_out);
}

TEST(labels_of_points, of_thousands_of_points_end) {
  label_places labels({0, 0, 400, 300});
  for (int i = 0; i < 5000; ++i)
    labels.add_label({200 + i % 7 * 1.0, 150 + i % 5 * 1.0}, 6, std::string(5000, 'x'));
  scene drawn;
  EXPECT_GT(labels.draw(drawn), 4900U);
}

}  // namespace

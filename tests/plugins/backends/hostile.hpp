// Tests with hostile JSON for every backend that reads JSON.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"

namespace backends {

/// Every proper prefix of the valid message `good` must fail.
inline void expect_failures_of_cuts(codec_box& box, std::string_view good) {
  for (std::size_t size = 1; size < good.size(); ++size) {
    box.open_any();
    transcript heard;
    EXPECT_FALSE(box.message(heard, good.substr(0, size))) << size;
    EXPECT_THAT(heard.lines, testing::ElementsAre(testing::StartsWith("failed -4 ")));
  }
  box.open_any();
  transcript heard;
  EXPECT_TRUE(box.message(heard, good));
}

/// An exchange with this single message must report an end.
inline void expect_an_end(codec_box& box, std::string_view data) {
  box.open_any();
  transcript heard;
  if (box.message(heard, data)) box.end(heard);
  EXPECT_TRUE(heard.finished());
}

/// Replaces each byte of `good` in turn by a random byte.
inline void expect_ends_of_changes(codec_box& box, std::string_view good) {
  std::mt19937 random(1);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string data(good);
    data[at] = static_cast<char>(random());
    expect_an_end(box, data);
  }
}

/// `count` messages of up to 59 pieces; every `bytes_each`-th message has random bytes instead.
inline void expect_ends_of_random(codec_box& box, int count, int bytes_each,
                                  std::span<const std::string_view> pieces) {
  std::mt19937 random(2);
  for (int i = 0; i < count; ++i) {
    std::string data;
    const std::size_t length = random() % 60;
    for (std::size_t k = 0; k < length; ++k) {
      if (i % bytes_each == 0)
        data += static_cast<char>(random());
      else
        data += pieces[random() % pieces.size()];
    }
    expect_an_end(box, data);
  }
}

/// The number 1 in 200,000 levels of nesting.
inline std::string nested(std::string_view open, std::string_view close) {
  constexpr std::size_t depth = 200'000;
  std::string text;
  for (std::size_t i = 0; i < depth; ++i)
    text += open;
  text += "1";
  for (std::size_t i = 0; i < depth; ++i)
    text += close;
  return text;
}

/// `begin` and `end`: the message before and after the text of the answer.
inline void expect_megabytes_whole(codec_box& box, std::string_view begin, std::string_view end) {
  box.open_any();
  const std::string text(5'000'000, 'x');
  transcript heard;
  EXPECT_TRUE(box.message(heard, std::string(begin) + text + std::string(end)));
  ASSERT_EQ(heard.lines.size(), 1U);
  EXPECT_EQ(heard.lines[0].size(), text.size() + std::string_view("token 0 answer \"\"").size());
}

inline void expect_failures_of_zero_bytes(codec_box& box) {
  using namespace std::string_view_literals;
  for (const auto data :
       {"{\"choices\":[{\"text\":\"a\"}]}\0x"sv, "\0"sv, "{\0}"sv, "{\"a\":\"\0\"}"sv}) {
    box.open_any();
    transcript heard;
    EXPECT_FALSE(box.message(heard, data));
    EXPECT_THAT(heard.lines, testing::ElementsAre(testing::StartsWith("failed -4 ")));
  }
}

}  // namespace backends

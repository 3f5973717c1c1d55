#include "engines/python-engine/frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "frames_of_worker.hpp"

namespace python_engine {
namespace {

using engine_test::bytes_of;
using engine_test::little;
using engine_test::message_of;
using testing::HasSubstr;

TEST(frames, are_split_however_their_bytes_are_cut) {
  const std::string bytes = bytes_of(frame_kind::welcome, "{}") + bytes_of(frame_kind::began) +
                            bytes_of(frame_kind::results, "abcdefgh");
  for (std::size_t part = 1; part <= bytes.size(); ++part) {
    frame_splitter splitter;
    std::vector<frame> found;
    for (std::size_t at = 0; at < bytes.size(); at += part) {
      std::string_view rest = std::string_view(bytes).substr(at, part);
      while (!rest.empty())
        if (auto each = splitter.next(rest)) found.push_back(*each);
    }
    ASSERT_EQ(found.size(), 3U) << part;
    EXPECT_EQ(found[0].kind, frame_kind::welcome);
    EXPECT_EQ(found[0].payload, "{}");
    EXPECT_EQ(found[1].payload, "");
    EXPECT_EQ(found[2].number, 3U);
    EXPECT_EQ(found[2].payload, "abcdefgh");
    EXPECT_EQ(splitter.cut_frame(), "");
  }
}

std::string refusal_of(const std::string& bytes) {
  return message_of([&] {
    frame_splitter splitter;
    std::string_view rest = bytes;
    while (!rest.empty())
      static_cast<void>(splitter.next(rest));
  });
}

TEST(frames, with_a_wrong_header_are_refused_by_their_number) {
  EXPECT_EQ(refusal_of(bytes_of(frame_kind::began) + little(268'435'457, 4) + little(71, 4)),
            "frame 2 (results): the length 268435457 is above the limit of 268435456 bytes");
  EXPECT_EQ(refusal_of(little(0, 4) + little(65 + (1U << 16U), 4)),
            "frame 1 (welcome): byte 6 of the header is not 0");
  EXPECT_EQ(refusal_of(little(0, 4) + little(200, 4)),
            "frame 1 (kind 200): there is no such kind of frame");
  EXPECT_EQ(refusal_of(little(0, 4) + little(0, 4)),
            "frame 1 (kind 0): there is no such kind of frame");
  EXPECT_EQ(refusal_of(bytes_of(frame_kind::go)),
            "frame 1 (go): only the host sends this kind of frame");
}

TEST(frames, that_are_cut_are_described) {
  frame_splitter splitter;
  std::string_view bytes = "abc";
  EXPECT_FALSE(splitter.next(bytes));
  EXPECT_EQ(splitter.cut_frame(), "frame 1: the socket ended after 3 of 8 bytes of the header");

  frame_splitter other;
  const std::string whole = bytes_of(frame_kind::done, "abcdef").substr(0, 10);
  bytes = whole;
  EXPECT_FALSE(other.next(bytes));
  EXPECT_EQ(other.cut_frame(),
            "frame 1 (done): the socket ended after 2 of 6 bytes of the payload");
}

TEST(frames, of_the_host_have_a_limit) {
  EXPECT_EQ(frame_header(frame_kind::go, 0), little(0, 4) + little(6, 4));
  EXPECT_THAT(message_of([] { static_cast<void>(frame_header(frame_kind::items, 1U << 29U)); }),
              HasSubstr("a frame items of 536870912 bytes is longer than"));
}

}  // namespace
}  // namespace python_engine

#include "client/large_sample.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include <inferbench/views.hpp>

namespace inferbench::client {
namespace {

ifb_sample empty_sample() { return IFB_SAMPLE_INIT; }

ifb_part picture(const std::string& bytes) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_IMAGE;
  out.data = {bytes.data(), bytes.size()};
  return out;
}

const std::string just_large(large_sample_bytes, 'x');
const std::string half_large(large_sample_bytes / 2, 'x');
const std::string not_large(large_sample_bytes - 1, 'x');

TEST(body_bytes, are_those_of_all_parts_and_media_count_as_base64) {
  ifb_sample sample = empty_sample();
  EXPECT_EQ(body_bytes(sample), 0U);
  const std::string bytes(300, 'x');
  const ifb_part text = ifb::text_part(bytes);
  sample.prompt = ifb::list_of({&text, 1});
  EXPECT_EQ(body_bytes(sample), 300U);
  std::array media{picture(bytes), picture(bytes), picture(bytes), picture(bytes), picture({})};
  media[1].kind = IFB_PART_AUDIO;
  media[2].kind = IFB_PART_VIDEO;
  media[3].kind = IFB_PART_FILE;
  media[4].uri = ifb::str(bytes);
  sample.media = ifb::list_of({media.data(), media.size()});
  EXPECT_EQ(body_bytes(sample), 300U + 4 * 400 + 300);
  const ifb_message message = ifb::message("user", ifb::list_of({&text, 1}));
  sample.messages = ifb::list_of({&message, 1});
  EXPECT_EQ(body_bytes(sample), 300U + 4 * 400 + 300 + 300);
}

TEST(large_sample, has_a_long_prompt) {
  ifb_sample sample = empty_sample();
  EXPECT_FALSE(is_large(body_bytes(sample)));
  ifb_part part = ifb::text_part(not_large);
  sample.prompt = ifb::list_of({&part, 1});
  EXPECT_FALSE(is_large(body_bytes(sample)));
  part = ifb::text_part(just_large);
  EXPECT_TRUE(is_large(body_bytes(sample)));
}

TEST(large_sample, has_media_of_many_bytes) {
  ifb_sample sample = empty_sample();
  ifb_part part = picture(just_large);
  sample.media = ifb::list_of({&part, 1});
  EXPECT_TRUE(is_large(body_bytes(sample)));
  part.data = {};
  part.uri = ifb::str(just_large);
  EXPECT_TRUE(is_large(body_bytes(sample))) << "a data: URI";
}

TEST(large_sample, has_long_messages) {
  ifb_sample sample = empty_sample();
  const ifb_part part = ifb::text_part(just_large);
  ifb_message message = ifb::message("user", ifb::list_of({&part, 1}));
  sample.messages = ifb::list_of({&message, 1});
  EXPECT_TRUE(is_large(body_bytes(sample)));
  message.parts = {};
  EXPECT_FALSE(is_large(body_bytes(sample)));
  message.json = ifb::str(just_large);
  EXPECT_TRUE(is_large(body_bytes(sample)));
}

TEST(large_sample, has_many_bytes_in_sum) {
  ifb_sample sample = empty_sample();
  const ifb_part prompt = ifb::text_part(half_large);
  sample.prompt = ifb::list_of({&prompt, 1});
  EXPECT_FALSE(is_large(body_bytes(sample)));
  const ifb_part media = picture(half_large);
  sample.media = ifb::list_of({&media, 1});
  EXPECT_TRUE(is_large(body_bytes(sample)));
}

}  // namespace
}  // namespace inferbench::client

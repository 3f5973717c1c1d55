#include "simulator/data_url.hpp"

#include <string>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

namespace inferbench::simulator {
namespace {

std::string decoded_base64(std::string_view text) {
  std::string fault;
  const auto out = decode_base64(text, fault);
  return out ? *out : fault;
}

TEST(data_url, is_split_into_its_type_and_its_data) {
  std::string fault;
  const auto url = split_data_url("data:image/png;base64,YQ==", fault);
  ASSERT_TRUE(url);
  EXPECT_EQ(url->type, "image/png");
  EXPECT_EQ(url->data, "YQ==");
  EXPECT_EQ(split_data_url("data:audio/ogg; codecs=opus;base64,", fault)->type, "audio/ogg");
  EXPECT_EQ(split_data_url("data:;base64,YQ==", fault)->type, "");
  EXPECT_EQ(fault, "");
}

TEST(data_url, without_base64_is_refused_with_the_reason) {
  const auto fault_of = [](std::string_view url) {
    std::string fault;
    EXPECT_FALSE(split_data_url(url, fault)) << url;
    return fault;
  };
  EXPECT_EQ(fault_of("data:"), "its data: URL has no comma");
  EXPECT_EQ(fault_of("data:image/png;base64"), "its data: URL has no comma");
  EXPECT_EQ(fault_of("data:,abc"), "its data: URL is not in base64");
  EXPECT_EQ(fault_of("data:image/svg+xml;utf8,%3Csvg"), "its data: URL is not in base64");
}

TEST(base64, of_every_length_and_byte_is_decoded) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(decoded_base64(ifb::base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 7);
  }
}

TEST(base64, that_is_broken_is_refused_with_the_position) {
  EXPECT_EQ(decoded_base64("YQ="), "its base64 has 3 characters, which is not a multiple of 4");
  EXPECT_EQ(decoded_base64("YWJj\n"), "its base64 has 5 characters, which is not a multiple of 4");
  EXPECT_EQ(decoded_base64("YWJjYW-j"), "its base64 has an invalid character at position 7");
  EXPECT_EQ(decoded_base64("YWJjYW_j"), "its base64 has an invalid character at position 7")
      << "base64url";
  EXPECT_EQ(decoded_base64("YW Jj123"), "its base64 has an invalid character at position 3");
  EXPECT_EQ(decoded_base64("YQ==YQ=="), "its base64 has an invalid character at position 3");
  EXPECT_EQ(decoded_base64("===="), "its base64 has an invalid character at position 1");
  EXPECT_EQ(decoded_base64("Y==="), "its base64 has an invalid character at position 2");
  EXPECT_EQ(decoded_base64("Y\xC3\xA9="), "its base64 has an invalid character at position 2");
  EXPECT_EQ(decoded_base64("YQ=a"), "its base64 has an invalid character at position 3");
}

}  // namespace
}  // namespace inferbench::simulator

#include "reporters/pages/packed_stream.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "plugins/pages/page_reader.hpp"

namespace {

using inferbench::pages_test::from_base64;
using inferbench::pages_test::inflated;

std::string packed(const std::vector<std::string>& pieces, std::size_t* calls = nullptr) {
  std::string out;
  reporters::packed_stream stream([&](std::string_view text) {
    out += text;
    if (calls != nullptr) ++*calls;
  });
  for (const std::string& each : pieces)
    stream.write(each);
  stream.finish();
  return out;
}

std::string noise(std::size_t size) {
  std::mt19937 random(1);
  std::string out(size, '\0');
  for (char& c : out)
    c = static_cast<char>(random());
  return out;
}

TEST(packed_stream, bytes_come_back) {
  EXPECT_EQ(inflated(from_base64(packed({}))), "");
  EXPECT_EQ(inflated(from_base64(packed({"a", "", "bc"}))), "abc");
  const std::string much = noise(1'000'003);
  std::size_t calls = 0;
  EXPECT_EQ(inflated(from_base64(packed({much, "end"}, &calls))), much + "end");
  EXPECT_GT(calls, 10U);  // the text comes in pieces
}

TEST(packed_stream, a_stream_that_is_abandoned_frees_its_memory) {
  reporters::packed_stream stream([](std::string_view) {});
  stream.write("abc");
}

}  // namespace

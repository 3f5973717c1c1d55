#include "transport/decompressor.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/gzip.hpp"

namespace inferbench::transport {
namespace {

using testing::deflated;
using testing::gzip;
using outcome = decompressor::outcome;

/// Decodes `body` in pieces of `step` bytes; returns "!" and the error on failure.
std::string decode(decompressor& with, std::string_view body, std::size_t step) {
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += step) {
    std::string_view piece = body.substr(at, step);
    for (std::string_view text;;) {
      const outcome now = with.next(piece, text);
      if (now == outcome::failed) return "!" + with.error();
      if (now == outcome::more) break;
      out += text;
    }
    EXPECT_TRUE(piece.empty());
  }
  return out;
}

std::string sample() {
  std::string out;
  for (int i = 0; i < 20000; ++i)
    out += std::to_string(i * 7919) + ' ';
  return out;
}

TEST(decompressor, reads_gzip_and_both_kinds_of_deflate_in_pieces_of_any_size) {
  const std::string text = sample();
  decompressor subject;
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000000}}) {
    subject.begin("gzip");
    EXPECT_EQ(decode(subject, gzip(text), step), text);
    EXPECT_TRUE(subject.complete());
    subject.begin("Deflate");
    EXPECT_EQ(decode(subject, deflated(text, MAX_WBITS), step), text);
    EXPECT_TRUE(subject.complete());
    subject.begin("deflate");
    EXPECT_EQ(decode(subject, deflated(text, -MAX_WBITS), step), text) << "without its wrapping";
    EXPECT_TRUE(subject.complete());
  }
}

TEST(decompressor, reads_all_members_and_ignores_padding_after_them) {
  decompressor subject;
  subject.begin("x-gzip");
  EXPECT_EQ(decode(subject, gzip("one ") + gzip("") + gzip("two") + std::string(9, '\0'), 5),
            "one two");
  EXPECT_TRUE(subject.complete());
}

TEST(decompressor, distinguishes_a_truncated_body_from_a_damaged_body) {
  const std::string body = gzip(sample());
  decompressor subject;
  subject.begin("gzip");
  EXPECT_FALSE(subject.complete()) << "not even begun";
  EXPECT_TRUE(sample().starts_with(decode(subject, body.substr(0, body.size() / 2), 64)));
  EXPECT_FALSE(subject.complete());
  std::string damaged = body;
  damaged[damaged.size() / 2] ^= 1;
  damaged[damaged.size() - 6] ^= 1;
  subject.begin("gzip");
  EXPECT_EQ(decode(subject, damaged, 64).substr(0, 27), "!the gzip body is damaged: ");
  EXPECT_FALSE(subject.complete());
  subject.begin("deflate");
  EXPECT_EQ(decode(subject, "\xFF\xFFnonsense", 64).substr(0, 25), "!the deflate body is dama");
}

TEST(decompressor, knows_the_codings_by_any_spelling_and_no_others) {
  for (const char* coding : {"gzip", "GZip", "x-gzip", "deflate"})
    EXPECT_TRUE(decompressor::knows(coding)) << coding;
  for (const char* coding : {"", "br", "zstd", "gzip, br", "identity"})
    EXPECT_FALSE(decompressor::knows(coding)) << coding;
}

}  // namespace
}  // namespace inferbench::transport

// Compresses a body as a compressing proxy would.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

namespace inferbench::testing {

/// `wrapping`: windowBits of deflateInit2, here for gzip.
inline std::string deflated(std::string_view text, int wrapping) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, wrapping, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(std::string_view text) { return deflated(text, MAX_WBITS + 16); }

}  // namespace inferbench::testing

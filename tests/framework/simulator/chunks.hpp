// Takes chunked bodies apart.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::simulator {

/// The chunks of a chunked body. The test fails if the size of a chunk is wrong.
inline std::vector<std::string> chunks_of(std::string_view body) {
  std::vector<std::string> out;
  while (!body.empty()) {
    const auto line = body.find("\r\n");
    std::size_t size = 0;
    std::from_chars(body.data(), body.data() + line, size, 16);
    EXPECT_EQ(body.substr(line + 2 + size, 2), "\r\n");
    out.emplace_back(body.substr(line + 2, size));
    body.remove_prefix(line + 4 + size);
  }
  return out;
}

}  // namespace inferbench::simulator

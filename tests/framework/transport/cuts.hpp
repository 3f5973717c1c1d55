// Ways to cut an input into reads, for parsers whose result must not depend on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

namespace inferbench::transport::test {

inline std::vector<std::string_view> cut(std::string_view text, std::size_t size) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size(); at += size)
    out.push_back(text.substr(at, size));
  return out;
}

/// The text as one piece; in pieces of one, of two and of three bytes; and cut at random positions,
/// in `random` different ways.
inline std::vector<std::vector<std::string_view>> all_cuts(std::string_view text,
                                                           std::size_t random = 50) {
  std::vector<std::vector<std::string_view>> out{{text}, cut(text, 1), cut(text, 2), cut(text, 3)};
  std::mt19937 generator(7);
  for (std::size_t i = 0; i < random; ++i) {
    std::vector<std::string_view> parts;
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t most = std::max<std::size_t>(rest.size() / (1 + i % 7), 1);
      const std::size_t size = 1 + generator() % most;
      parts.push_back(rest.substr(0, size));
      rest.remove_prefix(std::min(size, rest.size()));
    }
    out.push_back(parts);
  }
  return out;
}

}  // namespace inferbench::transport::test

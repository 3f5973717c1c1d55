// The engine of the row engine-pipe, the same code in this process and in the worker behind the
// pipe. It has no model: it makes one token of each running request in each step, as fast as it
// can.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferbench::bench {

/// Runs `requests` requests of `tokens` tokens each, `at_once` of them at the same time. For each
/// step calls step(first, count): the requests from `first` on have one more token each.
template <typename call>
void run_engine(std::uint32_t requests, std::uint64_t tokens, std::uint32_t at_once, call&& step) {
  for (std::uint32_t first = 0; first < requests; first += at_once) {
    const std::uint32_t count = std::min(at_once, requests - first);
    for (std::uint64_t token = 0; token < tokens; ++token)
      step(first, count);
  }
}

/// The text of an output: five bytes for each token.
inline std::string engine_text(std::uint64_t tokens) {
  constexpr std::string_view word = "word ";
  std::string out;
  out.reserve(tokens * word.size());
  for (std::uint64_t i = 0; i < tokens; ++i)
    out += word;
  return out;
}

}  // namespace inferbench::bench

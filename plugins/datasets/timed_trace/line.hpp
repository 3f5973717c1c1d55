// One line of a trace: when a request came, how long it was, and which pieces it shares with
// others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The members that lines have, as the user names them.
struct labels {
  std::string timestamp = "timestamp";
  std::string input_length = "input_length";
  std::string output_length = "output_length";
  std::string hash_ids = "hash_ids";
};

struct trace_line {
  double timestamp = 0;  // as written
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::vector<std::uint64_t> hashes;  // numbers as they are, texts mixed
};

/// Throws ifb::failure (IFB_E_DATA, option "path") that begins with `place`, "PATH:LINE".
[[nodiscard]] trace_line parse_line(std::string_view text, const labels& names,
                                    const std::string& place);

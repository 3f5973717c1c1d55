// One line of a trace: a request's time and length, and the pieces that it shares with other
// requests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The names of a line's members. The user can change them.
struct labels {
  std::string timestamp = "timestamp";
  std::string input_length = "input_length";
  std::string output_length = "output_length";
  std::string hash_ids = "hash_ids";
};

struct trace_line {
  double timestamp = 0;  // the number as written in the file
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::vector<std::uint64_t> hashes;  // numbers are unchanged, texts are hashed
};

/// Throws ifb::failure (IFB_E_DATA, option "path"). Its message begins with `place`, "PATH:LINE".
[[nodiscard]] trace_line parse_line(std::string_view text, const labels& names,
                                    const std::string& place);

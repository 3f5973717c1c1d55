// One line of a trace: the time of a request, its input and output length in tokens, and the hash
// ids of the blocks of its prompt. Requests share the blocks with equal ids.
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
  double timestamp = 0;  // as written in the file, in the unit of the file
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::vector<std::uint64_t> hashes;  // an integer as it is, a string as its hash
};

/// Throws ifb::failure (IFB_E_DATA, option "path"). Its message begins with `place`, "PATH:LINE".
[[nodiscard]] trace_line parse_line(std::string_view text, const labels& names,
                                    const std::string& place);

// Recorded answers (--replay), for protocols that the simulator does not speak.
#pragma once

#include <string>
#include <vector>

namespace inferbench::simulator {

struct recorded_answer {
  int status = 200;
  std::string content_type;
  std::vector<std::string> pieces;  // of the body, none of them empty, at least one
};

/// The answers of a file of transcripts (docs/plugin-check.md) that hold the bytes of a body,
/// in its order. Throws base::error: no such file, no JSON, no such answer in it.
[[nodiscard]] std::vector<recorded_answer> read_recorded(const std::string& path);

}  // namespace inferbench::simulator

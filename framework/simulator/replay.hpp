// Reads recorded answers (--replay), for protocols that the simulator does not implement.
#pragma once

#include <string>
#include <vector>

namespace inferbench::simulator {

struct recorded_answer {
  int status = 200;
  std::string content_type;
  std::vector<std::string> pieces;  // pieces of the body; at least one piece, and no piece is empty
};

/// The answers in a file of transcripts (docs/plugin-check.md), in the order of the file. Answers
/// without a body are left out. Throws base::error if the file cannot be read, is not JSON, or
/// contains no answer with a body.
[[nodiscard]] std::vector<recorded_answer> read_recorded(const std::string& path);

}  // namespace inferbench::simulator

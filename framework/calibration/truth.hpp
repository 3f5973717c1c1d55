// The simulator's ground-truth log (docs/simulator.md) read back, a request at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace inferbench::calibration {

/// What the simulator really did for one request. Stamps are CLOCK_MONOTONIC, ns: on one
/// machine the clock of records.
struct served {
  std::string id;
  bool chat = false;                      // a role event shares its write with the first token
  bool finished = false;                  // to its end; otherwise the client left
  std::vector<std::uint64_t> event_ns;    // right before the write of each event with tokens
  std::vector<std::uint64_t> written_ns;  // right after it; as many
};

class truth_reader {
 public:
  /// Throws base::error when the file cannot be read.
  explicit truth_reader(const std::filesystem::path& path);

  /// The next request, in the order in which they ended; false after the last. Throws
  /// base::error at a line that is not of such a log.
  [[nodiscard]] bool next(served& out);

 private:
  std::string place_;
  std::ifstream file_;
  std::string line_;
  std::uint32_t number_ = 0;  // of the line
};

}  // namespace inferbench::calibration

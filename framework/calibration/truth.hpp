// Reads the simulator's ground-truth log (docs/simulator.md), one request at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace inferbench::calibration {

/// The simulator's actual times for one request. Stamps are times of CLOCK_MONOTONIC in ns. The
/// client on the same machine uses the same clock for its records.
struct served {
  std::string id;
  bool role_event = false;                // a role event shares its write with the first token
  bool finished = false;                  // all events were sent; false: the client closed the
                                          // connection earlier
  std::vector<std::uint64_t> event_ns;    // times right before the write of each event with tokens
  std::vector<std::uint64_t> written_ns;  // times right after each of these writes
};

class truth_reader {
 public:
  /// Throws base::error if the file cannot be read.
  explicit truth_reader(const std::filesystem::path& path);

  /// Reads the next request; requests come in the order in which they ended. Returns false after
  /// the last request. Throws base::error at an invalid line, and if the file cannot be read.
  [[nodiscard]] bool next(served& out);

 private:
  std::string place_;
  std::ifstream file_;
  std::string line_;
  std::uint32_t number_ = 0;  // number of the line
};

}  // namespace inferbench::calibration

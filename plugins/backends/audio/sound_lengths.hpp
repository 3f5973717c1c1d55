// Finds the lengths of sound files.
#pragma once

#include <atomic>
#include <optional>
#include <string_view>

#include <inferbench/host.hpp>

namespace openai {

/// Uses the codecs of inferbench-media. [any thread]
class sound_lengths {
 public:
  explicit sound_lengths(ifb::host host) : host_(host) {}

  /// Returns the length in seconds: from the head of the file if its format has it, otherwise from
  /// the decoded file. Returns nullopt for a file that cannot be decoded. Returns nullopt also if
  /// this build lacks the codec, and warns at the first such file. Any input is safe.
  [[nodiscard]] std::optional<double> of(std::string_view file) const;

 private:
  ifb::host host_;
  mutable std::atomic<bool> warned_ = false;
};

}  // namespace openai

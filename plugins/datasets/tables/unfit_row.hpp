// The fault of one row.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <inferbench/guard.hpp>

namespace tables {

/// A row cannot be used, but other rows of its file can be read: it is malformed, too large or
/// nested too deeply. The code is IFB_E_DATA.
class unfit_row : public ifb::failure {
 public:
  /// `message` names the place of the row. `reason` is the fault alone, the same text for all rows
  /// with this fault.
  unfit_row(const std::string& message, std::string reason)
      : failure(IFB_E_DATA, message, "path"), reason_(std::move(reason)) {}
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

/// Returns the fault of the row at `place`, with the message "PLACE: REASON".
[[nodiscard]] inline unfit_row unfit(const std::string& place, const std::string& reason) {
  return {place + ": " + reason, reason};
}

/// Returns the reason for a row with more than `most_bytes`.
[[nodiscard]] inline std::string larger_than(std::uint64_t most_bytes) {
  return "the row has more than " + std::to_string(most_bytes >> 20U) + " MB";
}

}  // namespace tables

// Draws four charts about the tokens of a run's requests, in one picture of 14 x 10 inches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reporters {

/// The numbers of tokens of each request, in the order of the schedule.
struct lengths {
  std::vector<std::int64_t> prompt;
  std::vector<std::int64_t> output;  // 0 if the request failed
};

/// Returns a PNG with 150 dots per inch. `of` must not be empty. Throws ifb::failure if cairo
/// fails.
[[nodiscard]] std::string picture_of(const lengths& of);

/// Frees the fonts that cairo and fontconfig keep for the whole process. A leak checker cannot see
/// that some of them are in use. Must not be called while another thread draws.
void forget_fonts() noexcept;

}  // namespace reporters

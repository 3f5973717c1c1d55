// Four charts of the tokens of a run's requests in one picture of 14 x 10 inches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reporters {

/// The tokens of each request, in the order of the schedule.
struct lengths {
  std::vector<std::int64_t> prompt;
  std::vector<std::int64_t> output;  // 0 for failures
};

/// A PNG of 150 dots per inch. `of` is not empty. Throws ifb::failure when cairo fails.
[[nodiscard]] std::string picture_of(const lengths& of);

/// Frees the fonts that cairo and fontconfig keep for the whole process, some of them where no leak
/// checker can see that they are in use. Not to be called while another thread draws.
void forget_fonts() noexcept;

}  // namespace reporters

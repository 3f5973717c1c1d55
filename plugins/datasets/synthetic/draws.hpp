// The lengths of all prompts and answers, and for each prompt the place in the vocabulary at which
// it begins. All of them are drawn before the first prompt is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/random.hpp>

#include "length.hpp"

namespace synthetic {

/// The lengths to draw: a closed interval of whole numbers, drawn in the same way as in upstream,
/// or a distribution that the user chose.
class length_range {
 public:
  /// Returns the lengths of prompts. `special` is the number of tokens that the model adds to each
  /// prompt. The server counts them, so they are subtracted here. Throws ifb::failure for
  /// range-ratio if a distribution is combined with a `ratio`.
  [[nodiscard]] static length_range of_inputs(const length& wanted, std::int64_t special,
                                              double ratio);
  /// Returns the lengths of answers, which are at least 1.
  [[nodiscard]] static length_range of_outputs(const length& wanted, double ratio);
  /// Returns one length for all, or the distribution unchanged.
  [[nodiscard]] static length_range of(const length& wanted);

  [[nodiscard]] std::uint32_t draw(ifb::numpy_pcg64& random) const;
  /// Returns the smallest length that may be drawn.
  [[nodiscard]] std::int64_t least() const noexcept;
  /// Returns a text such as "512", "100 to 900", "lognormal(1024, 0.4)".
  [[nodiscard]] std::string text() const;
  /// Returns a key. With equal keys and equal generators, the drawn lengths are equal.
  [[nodiscard]] std::string key() const;

 private:
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
  std::int64_t less_ = 0;  // subtracted from a distribution's lengths
  std::optional<length> distribution_;
};

struct draw {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t offset = 0;  // a number in [0, vocabulary)
  std::uint32_t prefix = 0;  // tokens of the common beginning
};

/// Draws first all inputs, then all outputs, then all offsets. `prefix` stays 0.
[[nodiscard]] std::vector<draw> draw_all(ifb::numpy_pcg64& random, std::size_t count,
                                         const length_range& inputs, const length_range& outputs,
                                         std::int64_t vocabulary);

}  // namespace synthetic

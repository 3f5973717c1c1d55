// The lengths of all prompts and answers and the place in the vocabulary at which each
// prompt begins: drawn before the first prompt is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/random.hpp>

#include "length.hpp"

namespace synthetic {

/// Lengths to draw: a closed interval of whole numbers, drawn as upstream draws it, or
/// a distribution of the user's.
class length_range {
 public:
  /// Lengths of prompts. `special`: the tokens that the model adds by itself, which the server
  /// counts and which are subtracted here. A distribution takes no `ratio`: throws ifb::failure for
  /// range-ratio.
  [[nodiscard]] static length_range of_inputs(const length& wanted, std::int64_t special,
                                              double ratio);
  /// Lengths of answers: at least 1.
  [[nodiscard]] static length_range of_outputs(const length& wanted, double ratio);
  /// One length for all, or the distribution unchanged.
  [[nodiscard]] static length_range of(const length& wanted);

  [[nodiscard]] std::uint32_t draw(ifb::numpy_pcg64& random) const;
  /// The least length that may be drawn.
  [[nodiscard]] std::int64_t least() const noexcept;
  /// The length if it is always the same, else nothing.
  [[nodiscard]] bool is_fixed() const noexcept { return !distribution_ && low_ == high_; }
  /// "512", "100 to 900", "lognormal(1024, 0.4)".
  [[nodiscard]] std::string text() const;
  /// Equal keys draw equal lengths from equal generators.
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
  std::uint32_t offset = 0;  // in [0, vocabulary)
  std::uint32_t prefix = 0;  // tokens of the common beginning
};

/// All inputs are drawn first, then all outputs, then all offsets; `prefix` stays 0.
[[nodiscard]] std::vector<draw> draw_all(ifb::numpy_pcg64& random, std::size_t count,
                                         const length_range& inputs, const length_range& outputs,
                                         std::int64_t vocabulary);

}  // namespace synthetic

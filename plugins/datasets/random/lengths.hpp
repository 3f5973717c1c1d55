// How long each prompt and each answer is to be, and where in the vocabulary a
// prompt begins: all drawn before the first prompt is made.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <inferbench/random.hpp>

/// How far lengths may lie from their mean, as a share of it; each in [0, 1).
struct range_ratio {
  double input = 0;
  double output = 0;

  /// `json`: a number for both, an object with the members input and output, or a
  /// string that holds one of these. Throws ifb::failure for the option range-ratio.
  [[nodiscard]] static range_ratio parse(std::string_view json);
};

/// Closed interval of whole numbers.
struct interval {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// `special`: tokens that the model adds by itself, which the server will count.
[[nodiscard]] interval input_lengths(std::int64_t mean, std::int64_t special, double ratio);
/// At least 1.
[[nodiscard]] interval output_lengths(std::int64_t mean, double ratio);

struct draw {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t offset = 0;  // in [0, vocabulary)
};

/// All inputs are drawn first, then all outputs, then all offsets.
[[nodiscard]] std::vector<draw> draw_all(ifb::numpy_pcg64& random, std::size_t count,
                                         interval inputs, interval outputs,
                                         std::int64_t vocabulary);

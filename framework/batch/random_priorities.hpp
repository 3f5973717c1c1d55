// Samples with a random priority, for engines and servers that schedule by priority.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::batch {

/// Copies of samples whose overrides have a member "priority", 0 or 1 with equal probability. An
/// engine that schedules by priority takes a request with a smaller number first. The numbers are
/// drawn in the order of the samples, like calls of Python's random.Random(seed).random(): below
/// 0.5 is 0.
class random_priorities {
 public:
  /// `prompts`, and all that they refer to, must outlive this object. Throws base::error if the
  /// overrides of a sample are no JSON object.
  random_priorities(std::span<const dataset::sample_ptr> prompts, std::uint64_t seed);
  random_priorities(const random_priorities&) = delete;
  random_priorities& operator=(const random_priorities&) = delete;

  /// In the order of the prompts.
  [[nodiscard]] std::span<const ifb_sample> all() const noexcept { return samples_; }

 private:
  std::deque<std::string> overrides_;  // samples point to its elements
  std::vector<ifb_sample> samples_;
};

}  // namespace inferbench::batch

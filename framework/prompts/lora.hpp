// Which adapter each request names instead of the model (--lora-modules).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::prompts {

/// Read-only once made; any thread. Outlives the samples that it was asked to change.
class lora_modules {
 public:
  lora_modules() = default;  // none: requests keep their model
  /// Request i of `count` names module i modulo their number, or one that is drawn here:
  /// the same seed draws the same ones, as Python's random.choice does.
  lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed,
               std::uint64_t count);
  lora_modules(const lora_modules&) = delete;
  lora_modules& operator=(const lora_modules&) = delete;

  /// Gives the sample its model, by its sequence, and the same as metadata "lora", which
  /// its record keeps as an attribute.
  void assign(dataset::sample& to) const;

 private:
  std::vector<std::string> names_;
  std::vector<ifb_field> fields_;      // one for each name
  std::vector<std::uint32_t> chosen_;  // by request; empty: in turn
};

}  // namespace inferbench::prompts

// Chooses the adapter that a request names instead of the model (--lora-modules).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::prompts {

/// Immutable; any thread. Must outlive the samples that it has changed.
class lora_modules {
 public:
  lora_modules() = default;  // no adapters: requests keep their model
  /// Request i of `count` names module i modulo their number, or a module drawn here: the same seed
  /// draws the same modules, as Python's random.choice does.
  lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed,
               std::uint64_t count);
  lora_modules(const lora_modules&) = delete;
  lora_modules& operator=(const lora_modules&) = delete;

  /// Sets the sample's model, chosen by its sequence, and the metadata "lora" to the same name,
  /// which the record keeps as an attribute.
  void assign(dataset::sample& to) const;

 private:
  std::vector<std::string> names_;
  std::vector<ifb_field> fields_;      // one for each name
  std::vector<std::uint32_t> chosen_;  // index of the module by request; empty: round robin
};

}  // namespace inferbench::prompts

// Chooses the adapter whose name a request has in place of the model name (--lora-modules).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "dataset/sample.hpp"

namespace inferbench::prompts {

/// Immutable; any thread. The object must outlive the samples that it has changed.
class lora_modules {
 public:
  lora_modules() = default;  // no adapters: requests keep their model
  /// With `round_robin`, request i gets module i modulo the number of modules. Otherwise the
  /// constructor draws a module for each of `count` requests, like Python's random.choice with this
  /// seed.
  lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed,
               std::uint64_t count);
  lora_modules(const lora_modules&) = delete;
  lora_modules& operator=(const lora_modules&) = delete;

  /// Chooses an adapter by the sequence number of the sample. Sets the sample's model and its
  /// metadata "lora" to the name of the adapter. The record gets this metadata as an attribute.
  void assign(dataset::sample& to) const;

 private:
  std::vector<std::string> names_;
  std::vector<ifb_field> fields_;      // one metadata field for each name
  std::vector<std::uint32_t> chosen_;  // for each request the index of its module; empty: round
                                       // robin
};

}  // namespace inferbench::prompts

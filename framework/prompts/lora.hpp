// Chooses the adapter whose name a request has in place of the model name (--lora-modules).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/random.hpp>

#include "dataset/sample.hpp"

namespace inferbench::prompts {

/// Any thread. The object must outlive the samples that it has changed.
class lora_modules {
 public:
  lora_modules() = default;  // no adapters: requests keep their model
  /// With `round_robin`, request i gets module i modulo the number of modules. Otherwise a module
  /// is drawn for each request, like calls of Python's random.choice with this seed.
  lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed);
  lora_modules(const lora_modules&) = delete;
  lora_modules& operator=(const lora_modules&) = delete;

  /// Chooses an adapter by the sequence number of the sample. Sets the sample's model and its
  /// metadata "lora" to the name of the adapter. The record gets this metadata as an attribute.
  void assign(dataset::sample& to) const;

 private:
  [[nodiscard]] std::size_t module_of(std::uint64_t sequence) const;

  std::vector<std::string> names_;
  std::vector<ifb_field> fields_;  // one metadata field for each name
  bool round_robin_ = true;
  // The number of requests is not known, so modules are drawn when they are needed. A request may
  // be assigned after a later request.
  mutable std::mutex mutex_;
  mutable ifb::python_random random_{0};
  mutable std::vector<std::uint32_t> chosen_;  // for each request so far the index of its module
};

}  // namespace inferbench::prompts

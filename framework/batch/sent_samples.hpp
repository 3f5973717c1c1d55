// The samples of a batch as a server gets them: with the length of the order, and with the name of
// an adapter in place of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "batch/batch_executor.hpp"

namespace inferbench::batch {

class sent_samples {
 public:
  /// Prompts and ids are not copied: the items of `order` and what they refer to must outlive this
  /// object. An adapter is also a metadata field "lora", like a module of --lora-modules.
  explicit sent_samples(const batch_order& order);
  sent_samples(const sent_samples&) = delete;
  sent_samples& operator=(const sent_samples&) = delete;

  /// In the order of the items.
  [[nodiscard]] std::span<const ifb_sample> all() const noexcept { return samples_; }
  /// Bytes of all prompts and media, as they are sent.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  void adapt(ifb_sample& to, const ifb_adapter& by);

  std::vector<ifb_sample> samples_;
  std::deque<std::vector<ifb_field>> fields_;  // the metadata of samples with adapters
  std::uint64_t bytes_ = 0;
};

}  // namespace inferbench::batch

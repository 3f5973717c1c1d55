// The prompts of a batch in any order, each as often as wanted.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "dataset/sample.hpp"

namespace inferbench::batch {

/// Every request has an id of its own: the second request of a prompt has the id of the prompt and
/// "-2", and so on. Servers refuse two requests in flight with one id.
class repeated_prompts {
 public:
  /// `order[i]` is the number of the prompt of request i. `prompts` must outlive this object.
  repeated_prompts(std::span<const dataset::sample_ptr> prompts,
                   std::span<const std::size_t> order);
  repeated_prompts(const repeated_prompts&) = delete;
  repeated_prompts& operator=(const repeated_prompts&) = delete;

  /// Valid as long as this object.
  [[nodiscard]] std::span<const ifb_batch_item> items() const noexcept { return items_; }

 private:
  std::deque<std::string> ids_;
  std::vector<ifb_sample> samples_;
  std::vector<ifb_batch_item> items_;
};

/// Each prompt once.
[[nodiscard]] std::vector<ifb_batch_item> items_of(std::span<const dataset::sample_ptr> prompts);

}  // namespace inferbench::batch

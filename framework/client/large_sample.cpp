#include "client/large_sample.hpp"

#include <algorithm>

#include <inferbench/views.hpp>

namespace inferbench::client {

namespace {

/// Counts bytes down from large_sample_bytes.
class byte_budget {
 public:
  void take(std::size_t bytes) noexcept { left_ -= std::min(left_, bytes); }
  /// Returns false if the budget is used up.
  [[nodiscard]] bool take(const ifb_part_list& parts) noexcept {
    for (const ifb_part& one : ifb::view(parts)) {
      take(one.data.size);
      take(one.uri.size);
      if (left_ == 0) break;
    }
    return left_ != 0;
  }

 private:
  std::size_t left_ = large_sample_bytes;
};

}  // namespace

bool is_large(const ifb_sample& sample) noexcept {
  byte_budget budget;
  if (!budget.take(sample.prompt) || !budget.take(sample.media)) return true;
  for (const ifb_message& one : ifb::view(sample.messages)) {
    budget.take(one.json.size);
    if (!budget.take(one.parts)) return true;
  }
  return false;
}

}  // namespace inferbench::client

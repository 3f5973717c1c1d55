#include "batch/batch_jobs.hpp"

namespace inferbench::batch {

void batch_jobs::give(std::span<const ifb_sample> samples, std::uint64_t due_ns) {
  const std::lock_guard lock(mutex_);
  samples_ = samples;
  next_ = 0;
  due_ns_ = due_ns;
}

void batch_jobs::end() {
  const std::lock_guard lock(mutex_);
  over_ = true;
}

dataset::taken batch_jobs::try_take(client::job& out) {
  const std::lock_guard lock(mutex_);
  if (next_ == samples_.size()) {
    if (over_) return dataset::taken::end;
    out.due_ns = clock_.now() + ask_again_ns;
    return dataset::taken::later;
  }
  out.owned = nullptr;
  out.sample = &samples_[next_];
  out.sequence = next_++;
  out.due_ns = due_ns_;
  return dataset::taken::sample;
}

}  // namespace inferbench::batch

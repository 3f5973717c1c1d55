#include "dataset/sample.hpp"

#include <new>
#include <utility>

namespace inferbench::dataset {

void sample::clear() noexcept {
  c = {};
  c.struct_size = sizeof c;
  c.arrival_ns = -1;
  c.input_tokens = -1;
  c.output_tokens = -1;
  sequence = 0;
  row = 0;
  arena.reset();
}

void recycle::operator()(sample* used) const noexcept {
  std::unique_ptr<sample> owned(used);
  if (home == nullptr) return;
  owned->clear();
  const std::lock_guard lock(home->mutex_);
  try {
    home->free_.push_back(std::move(owned));
  } catch (const std::bad_alloc&) {
    // The pool cannot keep the sample, so `owned` frees it.
  }
}

sample_ptr pool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      sample* out = free_.back().release();
      free_.pop_back();
      return {out, recycle{this}};
    }
  }
  auto fresh = std::make_unique<sample>();
  fresh->clear();
  return {fresh.release(), recycle{this}};
}

}  // namespace inferbench::dataset

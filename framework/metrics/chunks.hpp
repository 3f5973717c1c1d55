// A list that grows without moving its elements. It has less unused memory than a vector, and
// larger chunks than a deque. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace inferbench::metrics {

template <typename element, std::size_t per_chunk>
class chunks {
 public:
  using chunk = std::array<element, per_chunk>;

  void push_back(const element& value) {
    if (size_ % per_chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<chunk>());
    (*chunks_.back())[size_++ % per_chunk] = value;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return chunks_.size() * sizeof(chunk) + chunks_.capacity() * sizeof(chunks_[0]);
  }

  /// Calls visit(element) for each element, in order.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    std::size_t left = size_;
    for (const auto& one : chunks_)
      for (std::size_t i = 0; i < per_chunk && left > 0; ++i, --left)
        visit((*one)[i]);
  }

  /// Reads a list from its beginning. Must not be used after an element is added.
  class reader {
   public:
    explicit reader(const chunks& from) : from_(&from) {}

    /// The next element; null after the last.
    const element* next() {
      if (at_ == from_->size_) return nullptr;
      const element& found = (*from_->chunks_[at_ / per_chunk])[at_ % per_chunk];
      ++at_;
      return &found;
    }

   private:
    const chunks* from_;
    std::size_t at_ = 0;
  };

 private:
  std::vector<std::unique_ptr<chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace inferbench::metrics

// The gaps between the stream events of many requests, one request after the other. A gap below
// 4.29 s takes 4 bytes, and only the last chunk has unused memory. A separate vector for each
// request would take another 60 bytes. One thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "client/record.hpp"

namespace inferbench::metrics {

class tape {
  static constexpr std::size_t chunk_words = 4096;
  using chunk = std::array<std::uint32_t, chunk_words>;
  using chunks = std::vector<std::unique_ptr<chunk>>;

 public:
  /// Appends the gaps of one request.
  void append(const client::stamps& events) {
    if (events.empty()) return;
    push(events.words());
    size_ += events.size() - 1;
  }

  /// The number of gaps on the tape.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return chunks_.size() * sizeof(chunk) + chunks_.capacity() * sizeof(chunks_[0]);
  }

  /// Reads a tape from its beginning. Must not be used after gaps are appended.
  class reader {
   public:
    explicit reader(const tape& from) : chunk_(from.chunks_.begin()) {}

    /// The next gap in ns. Must not be called after the last gap.
    std::uint64_t next() {
      const std::uint64_t gap = word();
      if (gap != client::stamps::escape) return gap;
      const std::uint64_t low = word();
      return low | std::uint64_t{word()} << 32U;
    }

   private:
    std::uint32_t word() {
      if (at_ == end_) {
        at_ = (*chunk_)->data();
        end_ = at_ + chunk_words;
        ++chunk_;
      }
      return *at_++;
    }

    chunks::const_iterator chunk_;
    const std::uint32_t* at_ = nullptr;
    const std::uint32_t* end_ = nullptr;
  };

  /// Calls visit(gap) for each gap, in ns.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    reader from(*this);
    for (std::uint64_t i = 0; i < size_; ++i)
      visit(from.next());
  }

 private:
  void push(std::span<const std::uint32_t> words) {
    while (!words.empty()) {
      if (used_ % chunk_words == 0) chunks_.push_back(std::make_unique_for_overwrite<chunk>());
      const std::size_t room = std::min(chunk_words - used_ % chunk_words, words.size());
      std::ranges::copy(words.first(room),
                        chunks_.back()->begin() + static_cast<std::ptrdiff_t>(used_ % chunk_words));
      used_ += room;
      words = words.subspan(room);
    }
  }

  chunks chunks_;
  std::size_t used_ = 0;  // number of words used in the last chunk
  std::uint64_t size_ = 0;
};

}  // namespace inferbench::metrics

// The lengths of texts in tokens, stored when a row is read for the first time. The host reads rows
// once to count them and once to send them, and encoding is the expensive part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace sharegpt {

/// Any thread, also for one row at the same time. Takes 12 bytes per row and 4 bytes per text.
class count_memo {
 public:
  /// The lengths of the texts of one row, while it is read. One thread.
  class row_counts {
   public:
    /// Returns the length of the next text. If it is not known, `encode` is called. The texts must
    /// always come in the same order.
    template <typename call>
    [[nodiscard]] std::int64_t count(call&& encode) {
      if (!known_) counts_.push_back(static_cast<std::uint32_t>(encode()));
      return counts_[known_ ? at_++ : counts_.size() - 1];
    }

   private:
    friend class count_memo;
    std::vector<std::uint32_t> counts_;
    std::size_t at_ = 0;
    bool known_ = false;
  };

  /// Must be called before the other functions, on one thread.
  void start(std::size_t rows) { begin_.assign(rows, unknown); }

  /// Begins a row.
  [[nodiscard]] row_counts open(std::size_t row) const {
    row_counts out;
    const std::lock_guard lock(mutex_);
    const std::uint64_t begin = begin_[row];
    out.known_ = begin != unknown;
    if (!out.known_) return out;
    const auto stored = std::span(counts_).subspan(begin + 1, counts_[begin]);
    out.counts_.assign(stored.begin(), stored.end());
    return out;
  }

  /// Stores the lengths of a row. Must be called after the last text of the row.
  void close(std::size_t row, const row_counts& of) {
    if (of.known_) return;
    const std::lock_guard lock(mutex_);
    if (begin_[row] != unknown) return;  // another thread has read the row at the same time
    begin_[row] = counts_.size();
    counts_.push_back(static_cast<std::uint32_t>(of.counts_.size()));
    counts_.insert(counts_.end(), of.counts_.begin(), of.counts_.end());
  }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  mutable std::mutex mutex_;
  std::vector<std::uint64_t> begin_;   // for each row, the index of its number of lengths
  std::vector<std::uint32_t> counts_;  // for each known row, the number of its lengths, and these
};

}  // namespace sharegpt

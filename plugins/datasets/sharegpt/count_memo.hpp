// The lengths of texts in tokens, stored when a row is read for the first time. The host reads rows
// once to count them and once to send them, and encoding is the expensive part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sharegpt {

/// One thread. Takes 8 bytes per row and 4 bytes per text.
class count_memo {
 public:
  void start(std::size_t rows) { begin_.assign(rows, unknown); }

  /// Begins a row: the following texts belong to it. They must always come in the same order.
  void open(std::size_t row) {
    row_ = row;
    known_ = begin_[row] != unknown;
    at_ = known_ ? begin_[row] : counts_.size();
  }
  /// Returns the length of the next text. If it is not known, `encode` is called.
  template <typename call>
  [[nodiscard]] std::int64_t count(call&& encode) {
    if (!known_) counts_.push_back(static_cast<std::uint32_t>(encode()));
    return counts_[known_ ? at_++ : counts_.size() - 1];
  }
  /// Must be called after the last text of the row.
  void close() {
    if (!known_) begin_[row_] = at_;
  }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> counts_;
  std::size_t row_ = 0;
  std::uint64_t at_ = 0;
  bool known_ = false;
};

}  // namespace sharegpt

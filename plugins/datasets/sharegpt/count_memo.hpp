// The lengths of texts in tokens, kept from the first time that a row is read: the host reads rows
// to count them and again to send them, and encoding is the expensive part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sharegpt {

/// One thread. 8 bytes a row and 4 a text.
class count_memo {
 public:
  void start(std::size_t rows) { begin_.assign(rows, unknown); }

  /// The next texts are those of this row, always in the same order.
  void open(std::size_t row) {
    row_ = row;
    known_ = begin_[row] != unknown;
    at_ = known_ ? begin_[row] : counts_.size();
  }
  /// The next text's length; `encode` is called if it is not known.
  template <typename call>
  [[nodiscard]] std::int64_t count(call&& encode) {
    if (!known_) counts_.push_back(static_cast<std::uint32_t>(encode()));
    return counts_[known_ ? at_++ : counts_.size() - 1];
  }
  /// The row's last text has been asked for.
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

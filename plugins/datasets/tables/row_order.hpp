// The order of the rows of a split: a position of the order -> a row of a file. Rows are numbers
// here; no row is read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <inferbench/random.hpp>

namespace tables {

/// A row of a file of the split, in 8 bytes.
struct row_id {
  std::uint64_t file : 24;
  std::uint64_t row : 40;

  [[nodiscard]] friend bool operator==(const row_id&, const row_id&) = default;
};
inline constexpr std::uint64_t most_files = 1ULL << 24U;
inline constexpr std::uint64_t most_rows_of_file = 1ULL << 40U;

/// Consecutive rows of a file.
struct row_range {
  std::uint64_t file = 0;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Ranges of rows, one after the other.
class row_ranges {
 public:
  void add(const row_range& range);
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  /// `position` must be less than total().
  [[nodiscard]] row_id at(std::uint64_t position) const;

 private:
  std::vector<row_range> ranges_;
  std::vector<std::uint64_t> begins_;  // the position of the first row of each range
  std::uint64_t total_ = 0;
};

/// Returns the rows of the next file of the split, which it opens; nullopt after the last file.
using next_file = std::function<std::optional<row_range>()>;

/// May be used by only one thread at a time. Positions may be asked for in any order.
class row_order {
 public:
  row_order() = default;
  row_order(const row_order&) = delete;
  row_order& operator=(const row_order&) = delete;
  virtual ~row_order() = default;

  enum class reach : std::uint8_t { open_files, all_files };
  /// Returns the row at `position`; nullopt after the last row. With `open_files` no further file
  /// is opened, and nullopt is also returned if that would be necessary.
  [[nodiscard]] virtual std::optional<row_id> at(std::uint64_t position, reach how) = 0;
};

/// The files one after the other.
[[nodiscard]] std::unique_ptr<row_order> in_file_order(next_file open);

/// shuffle(seed, buffer_size=1000) of a streamed data set: `random` is a generator with the seed of
/// which no number was drawn. The files must already be shuffled with a copy of it. The rows that
/// were found take 8 bytes each.
[[nodiscard]] std::unique_ptr<row_order> through_buffer(next_file open, ifb::numpy_pcg64 random,
                                                        std::size_t buffer_size = 1000);

/// The rows of `ranges` in their order or, with a generator, in the order of shuffle(seed) of a
/// data set that was loaded as a whole, which takes 8 bytes a row.
[[nodiscard]] std::unique_ptr<row_order> of_whole(row_ranges ranges,
                                                  std::optional<ifb::numpy_pcg64> random);

}  // namespace tables

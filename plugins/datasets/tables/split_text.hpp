// The text of --hf-split: "train", and for data sets that are loaded as a whole also slices and
// sums of splits, "train[:100]+test[10%:]", as `datasets` reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tables {

/// One term of the sum.
struct split_slice {
  std::string split;
  std::optional<std::int64_t> from{};  // negative: from the end
  std::optional<std::int64_t> to{};
  bool percent = false;     // both bounds are percentages
  bool is_sliced = false;   // there were brackets
  bool drops_rest = false;  // "(pct1_dropremainder)": each percent has the same number of rows
};

/// The rows of a split of `rows` rows that the slice selects: `count` rows from `first` on.
struct slice_bounds {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Throws ifb::failure (IFB_E_CONFIG, option "hf-split") if the text has another form.
[[nodiscard]] std::vector<split_slice> parse_split_text(std::string_view text);

/// Percentages are rounded to the nearest row, halves to the even row.
[[nodiscard]] slice_bounds bounds_of(const split_slice& slice, std::uint64_t rows);

}  // namespace tables

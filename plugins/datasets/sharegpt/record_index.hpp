// The records of the file that make a row. A long conversation of ShareGPT was cut into records
// with the ids "BASE_0", "BASE_17", ...: those with one BASE are its parts, in the order of their
// numbers. Any other record is a row by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sharegpt {

struct place {
  std::uint64_t offset = 0;  // bytes
  std::uint64_t record = 0;  // in the file, from 1
};

/// One thread. 24 bytes a row, and more while it is filled.
class record_index {
 public:
  /// `id` empty: a row by itself. Rows keep the order in which their first record came.
  void add(place at, std::string_view id);
  /// Call this after the last add(), before the functions below.
  void close();

  [[nodiscard]] std::size_t rows() const noexcept { return first_.size(); }
  /// The records of row `row`, at least one.
  [[nodiscard]] std::span<const place> row(std::size_t i) const;

 private:
  struct part {
    std::size_t row;
    std::uint64_t number;
    place at;
  };

  std::vector<place> places_;       // one a row; after close() those of a row are neighbours
  std::vector<std::size_t> first_;  // each row's first in places_
  std::vector<part> parts_;         // of rows that may have several
  std::unordered_map<std::string, std::size_t> bases_;  // the row of each
};

}  // namespace sharegpt

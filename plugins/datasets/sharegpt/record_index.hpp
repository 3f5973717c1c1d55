// The records of the file that form a row. A long conversation of ShareGPT was cut into records
// with the ids "BASE_0", "BASE_17", and so on. The records with the same BASE are its parts, in the
// order of their numbers. Any other record is a row on its own.
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
  std::uint64_t offset = 0;  // offset in bytes
  std::uint64_t record = 0;  // number of the record in the file, from 1
};

/// One thread until close(); any thread after it. Takes 24 bytes per row, and more while it is
/// being filled.
class record_index {
 public:
  /// Adds a record. If `id` is empty, the record is a row on its own. The order of the rows is the
  /// order of their first records.
  void add(place at, std::string_view id);
  /// Must be called after the last add() and before the functions below.
  void close();

  [[nodiscard]] std::size_t rows() const noexcept { return first_.size(); }
  /// Returns the records of row `i`; there is at least one.
  [[nodiscard]] std::span<const place> row(std::size_t i) const;

 private:
  struct part {
    std::size_t row;
    std::uint64_t number;
    place at;
  };

  std::vector<place> places_;       // all records; after close() the records of a row are adjacent
  std::vector<std::size_t> first_;  // for each row, the index of its first record in places_
  std::vector<part> parts_;         // the records of rows that may have several records
  std::unordered_map<std::string, std::size_t> bases_;  // maps each BASE to its row
};

}  // namespace sharegpt

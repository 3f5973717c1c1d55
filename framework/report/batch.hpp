// Records in the form that reporters receive: views, as the contract has them, of records that
// the batch owns. Immutable, so that all reporters share one batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inferbench/abi.h>

#include "client/record.hpp"

namespace inferbench::report {

class batch {
 public:
  /// The records should be resolved (metrics/resolve.hpp). Without `stamps` the views have
  /// the number of stamps but not the stamps, and those of the records are freed at once.
  explicit batch(std::vector<client::record> records, bool stamps = true);
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;

  /// The records in the order in which they were given; valid as long as the batch.
  [[nodiscard]] std::span<const ifb_record> views() const noexcept { return views_; }

  /// Bytes of memory that it occupies, roughly.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::vector<client::record> records_;
  std::vector<std::uint64_t> stamps_;  // absolute, of all records one after another
  std::vector<ifb_field> attributes_;  // likewise
  std::vector<ifb_record> views_;
  std::size_t bytes_ = 0;
};

}  // namespace inferbench::report

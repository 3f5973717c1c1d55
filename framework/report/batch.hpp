// Records in the form that reporters receive: views of records, as the plugin contract defines
// them. The batch owns the records. It is immutable, so that all reporters can share one batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <inferbench/abi.h>

#include "client/record.hpp"

namespace inferbench::report {

/// Fills `out`, which must be zeroed, with views of the record, which must outlive it. The stamps
/// and the attributes are left out: only their numbers are set.
void describe(const client::record& from, ifb_record& out);

class batch {
 public:
  /// The records should be resolved (metrics/resolve.hpp). If `stamps` is false, the views contain
  /// the number of stamps but not the stamps, and the stamps of the records are freed immediately.
  explicit batch(std::vector<client::record> records, bool stamps = true);
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;

  /// The records in the order in which they were given; valid as long as the batch.
  [[nodiscard]] std::span<const ifb_record> views() const noexcept { return views_; }

  /// The approximate memory of the batch, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::vector<client::record> records_;
  std::vector<std::uint64_t> stamps_;  // absolute stamps of all records, one record after another
  std::vector<ifb_field> attributes_;  // attributes of all records, one record after another
  std::vector<ifb_record> views_;
  std::size_t bytes_ = 0;
};

}  // namespace inferbench::report

// How long the client took to send what was due all at once: at an infinite rate the first requests
// of the schedule, as many as may be in flight. A fact of the run, which is in no figure.
#pragma once

#include <cstdint>

#include "client/record.hpp"
#include "metrics/context.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

class burst {
 public:
  explicit burst(const context& run);

  /// In any order. Requests of conversations are no part of it: most of them wait for an answer.
  void add(const client::record& record) noexcept;
  void merge(const burst& other) noexcept;

  /// The member `burst`: how many requests left, failed ones included, and the seconds from the
  /// first to the last first byte. Nothing of fewer than two.
  void write(ifb::json_writer& out) const;

 private:
  std::uint64_t places_ = 0;  // of the schedule that are part of it
  std::uint64_t left_ = 0;
  std::uint64_t first_ns_ = UINT64_MAX;
  std::uint64_t last_ns_ = 0;
};

}  // namespace inferbench::metrics

// How long the client took to send the requests that were due all at once: at an infinite rate the
// first of the schedule, as many as may be in flight. A fact of the run, which is in no figure.
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
  /// first to the last first byte. Writes nothing if fewer than two requests left.
  void write(ifb::json_writer& out) const;

 private:
  std::uint64_t places_ = 0;  // the first `places_` requests of the schedule are the burst
  std::uint64_t left_ = 0;
  std::uint64_t first_ns_ = UINT64_MAX;
  std::uint64_t last_ns_ = 0;
};

}  // namespace inferbench::metrics

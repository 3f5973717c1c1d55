// Measures how long the client took to send the requests that were all due at the same time. At an
// infinite rate, these are the first requests of the schedule, as many as may be in flight. The
// result contains this as a fact of the run; it does not change any figure.
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

  /// Adds a record, in any order. Requests of conversations are ignored: most of them wait for an
  /// earlier answer.
  void add(const client::record& record) noexcept;

  /// Writes the member `burst`. It contains the number of requests that were sent, including failed
  /// requests. It also contains the seconds from the first byte of the first request to the first
  /// byte of the last request. Writes nothing if fewer than two requests were sent.
  void write(ifb::json_writer& out) const;

 private:
  std::uint64_t places_ = 0;  // the first `places_` requests of the schedule are the burst
  std::uint64_t left_ = 0;
  std::uint64_t first_ns_ = UINT64_MAX;
  std::uint64_t last_ns_ = 0;
};

}  // namespace inferbench::metrics

// The data of exact figures: the times of each request. For successful requests also the gaps
// between their stream events and the lateness of the events' stamps. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "metrics/chunks.hpp"
#include "metrics/late_tape.hpp"
#include "metrics/request_times.hpp"
#include "metrics/tape.hpp"

namespace inferbench::metrics {

struct kept_requests {
  chunks<request_times, 128> rows;  // in the order of the records; the gaps have the same order
  tape gaps;
  late_tape lates;

  void add(const client::record& record, const request_times& times) {
    rows.push_back(times);
    if (times.events == 0) return;
    gaps.append(record.tokens);
    lates.append(record);
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return rows.bytes() + gaps.bytes() + lates.bytes();
  }

  /// Calls visit(gap, too_long, too_short) for each gap, ns. A gap is too long by at most the
  /// lateness of its second stamp, and too short by at most the lateness of its first stamp.
  template <typename visitor>
  void for_each_gap(visitor&& visit) const {
    tape::reader gap(gaps);
    late_tape::reader late(lates);
    rows.for_each([&](const request_times& r) {
      if (r.events == 0) return;
      std::uint64_t at = r.at(arrival::first);
      const auto next_late = [&]() -> std::uint64_t {
        const std::uint32_t ns = late.next();
        return ns == request_times::more ? at - r.start : ns;
      };
      std::uint64_t before = next_late();
      for (std::uint32_t i = 1; i < r.events; ++i) {
        const std::uint64_t ns = gap.next();
        at += ns;
        const std::uint64_t now = next_late();
        visit(ns, now, before);
        before = now;
      }
    });
  }
};

}  // namespace inferbench::metrics

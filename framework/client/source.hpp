// The source of a worker's requests, in the order of the schedule: the feed of a run, or copies of
// one sample for warm-up.
#pragma once

#include <cstdint>
#include <limits>

#include <inferbench/abi.h>

#include "dataset/queue.hpp"
#include "dataset/sample.hpp"

namespace inferbench::client {

struct job {
  dataset::sample_ptr owned;           // null if the source keeps the sample
  const ifb_sample* sample = nullptr;  // valid as long as `owned`, or as long as the source
  std::uint64_t sequence = 0;
  std::uint64_t due_ns = 0;
};

/// Any worker may call the functions at any time.
class source {
 public:
  source() = default;
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  virtual ~source() = default;

  /// Fills `out` with the next job. `later`: no job is ready yet. In this case `out.due_ns` is 0 if
  /// the data of the next job are not available yet. Otherwise the next job waits for its time or
  /// for an answer, and `out.due_ns` is the latest time at which the worker must ask again. Does
  /// not wait.
  [[nodiscard]] virtual dataset::taken try_take(job& out) = 0;

  /// True if no job should be taken before there is a permit for it, because another worker with a
  /// permit may need the job.
  [[nodiscard]] virtual bool scarce() const noexcept { return false; }

  /// The end of the sending: no request is sent at this time or later, and requests in flight
  /// continue. The largest number means that there is no such end. Constant after the first
  /// try_take().
  [[nodiscard]] virtual std::uint64_t ends_ns() const noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }
};

}  // namespace inferbench::client

// The source of a worker's requests, in the order of the schedule: the feed of a run, or copies of
// one sample for warm-up.
#pragma once

#include <cstdint>

#include <inferbench/abi.h>

#include "dataset/queue.hpp"
#include "dataset/sample.hpp"

namespace inferbench::client {

struct job {
  dataset::sample_ptr owned;           // null when the source keeps the sample
  const ifb_sample* sample = nullptr;  // lives as long as `owned`, or as the source
  std::uint64_t sequence = 0;
  std::uint64_t due_ns = 0;
};

/// Any worker may call it at any time.
class source {
 public:
  source() = default;
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  virtual ~source() = default;

  /// Fills `out` with the next job. `later`: no job is ready yet. If the next job waits for its
  /// time or for an answer, `out.due_ns` is then the time to ask again at the latest; if it is 0,
  /// data are missing. Does not wait.
  [[nodiscard]] virtual dataset::taken try_take(job& out) = 0;

  /// True if a job taken ahead of its permit would be missing for other workers that have a permit.
  [[nodiscard]] virtual bool scarce() const noexcept { return false; }
};

}  // namespace inferbench::client

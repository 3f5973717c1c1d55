// The requests of a batch as the source of a client's workers. The workers stay, with their
// connections, from batch to batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "client/source.hpp"

namespace inferbench::batch {

/// Owned by the control thread, which calls give() and end().
class batch_jobs final : public client::source {
 public:
  /// `scarce`: several workers share a limit of requests in flight. `clock` must outlive this
  /// object.
  batch_jobs(const base::clock& clock, bool scarce) : clock_(clock), scarce_(scarce) {}

  /// The next batch: `samples[i]` is request i of it, and all requests are due at `due_ns`. The
  /// samples must live until each request has its record. All requests of the batch before must
  /// have their records.
  void give(std::span<const ifb_sample> samples, std::uint64_t due_ns);
  /// There is no further batch: the workers end after the requests that they have.
  void end();

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return scarce_; }

  /// A worker without a request asks again after this time, so a batch should be due later than
  /// this.
  static constexpr std::uint64_t ask_again_ns = base::ns_per_ms;

 private:
  const base::clock& clock_;
  const bool scarce_;
  std::mutex mutex_;  // guards the members below
  std::span<const ifb_sample> samples_;
  std::size_t next_ = 0;
  std::uint64_t due_ns_ = 0;
  bool over_ = false;
};

}  // namespace inferbench::batch

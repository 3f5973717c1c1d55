// The sources of the workers' jobs, except conversations (conversations.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>

#include "client/record.hpp"
#include "client/source.hpp"
#include "dataset/feed.hpp"
#include "prompts/lora.hpp"
#include "schedule/timetable.hpp"

namespace inferbench::metrics {
struct context;
}

namespace inferbench::run {

/// Base class of the sources of a run.
class run_source : public client::source {
 public:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  /// Sets the time from which the offsets of the schedule are counted, and the time for which
  /// requests are sent: requests that are due `duration_ns` or more after the start are not sent.
  /// Call this before the first try_take().
  void start_at(std::uint64_t start_ns, std::uint64_t duration_ns = unlimited) noexcept {
    start_ns_ = start_ns;
    duration_ns_ = duration_ns;
  }

  [[nodiscard]] std::uint64_t ends_ns() const noexcept override {
    return duration_ns_ < unlimited - start_ns_ ? start_ns_ + duration_ns_ : unlimited;
  }

  /// The number of requests that were due less than `offset_ns` after the start, as far as it is
  /// known: it may be lower for samples with times of their own, and it is 0 if any number is due
  /// at the start. For runs that end at a time. Call it when the workers have ended and before the
  /// feed is stopped.
  [[nodiscard]] virtual std::uint64_t due_before(std::uint64_t offset_ns) = 0;

  /// Called on the worker's thread with the record of each finished job, to which the source may
  /// add attributes.
  virtual void answered(client::record&) {}

  /// The number of requests of a run without a time limit, sent or not. `of_feed`: the number of
  /// requests of the feed. Call it after the run.
  [[nodiscard]] virtual std::uint64_t planned(std::uint64_t of_feed) const { return of_feed; }

  /// Adds the source's facts about the run. Call it after the run.
  virtual void add_facts(metrics::context&) const {}

 protected:
  std::uint64_t start_ns_ = 0;
  std::uint64_t duration_ns_ = unlimited;
};

/// The samples of a run. Each sample is due at its time in the schedule.
class scheduled_samples final : public run_source {
 public:
  /// `due` has a time for each sample of the feed. If it is empty, the offset of a sample is its
  /// arrival_ns. Everything that is passed by reference must outlive this object. The feed must
  /// have been started. `scarce`: several workers share a limit of requests in flight.
  scheduled_samples(dataset::feed& feed, const schedule::timetable& due,
                    const prompts::lora_modules& adapters, bool scarce = false)
      : feed_(feed), due_(due), walk_(due), adapters_(adapters), scarce_(scarce) {}

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return scarce_; }
  [[nodiscard]] std::uint64_t due_before(std::uint64_t offset_ns) override;

 private:
  [[nodiscard]] std::uint64_t offset_of(const dataset::sample& of);

  dataset::feed& feed_;
  const schedule::timetable& due_;
  std::mutex mutex_;  // held to take a sample and its time from a table without an end
  schedule::timetable_walk walk_;
  const prompts::lora_modules& adapters_;
  bool scarce_;
  std::atomic<std::uint64_t> taken_ = 0;  // samples with times of their own that were taken and due
};

/// `count` copies of one sample, all due immediately, for ready check and warm-up.
class repeated_sample final : public client::source {
 public:
  /// `sample` must outlive the requests.
  repeated_sample(const ifb_sample& sample, std::uint64_t count, std::uint64_t now)
      : sample_(sample), count_(count), now_(now) {}

  [[nodiscard]] dataset::taken try_take(client::job& out) override;

 private:
  const ifb_sample& sample_;
  std::uint64_t count_;
  std::uint64_t now_;
  std::atomic<std::uint64_t> next_ = 0;
};

}  // namespace inferbench::run

// The sources of the workers' jobs, except conversations (conversations.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "client/record.hpp"
#include "client/source.hpp"
#include "dataset/feed.hpp"
#include "prompts/lora.hpp"

namespace inferbench::metrics {
struct context;
}

namespace inferbench::run {

/// Base class of the sources of a run.
class run_source : public client::source {
 public:
  /// Sets the time from which the offsets of the schedule are counted. Call this before the first
  /// try_take().
  void start_at(std::uint64_t start_ns) noexcept { start_ns_ = start_ns; }

  /// Called on the worker's thread with the record of each finished job.
  virtual void answered(const client::record&) {}

  /// Adds the source's facts about the run. Call it after the run.
  virtual void add_facts(metrics::context&) const {}

 protected:
  std::uint64_t start_ns_ = 0;
};

/// The samples of a run. Each sample is due at its time in the schedule.
class scheduled final : public run_source {
 public:
  /// `due` are offsets from the start in ns, one for each sample of the feed. If it is empty, the
  /// offset of a sample is its arrival_ns. Everything that is passed by reference must outlive this
  /// object. The feed must have been started. `scarce`: several workers share a limit of requests
  /// in flight.
  scheduled(dataset::feed& feed, std::span<const std::uint64_t> due,
            const prompts::lora_modules& adapters, bool scarce = false)
      : feed_(feed), due_(due), adapters_(adapters), scarce_(scarce) {}

  [[nodiscard]] dataset::taken try_take(client::job& out) override;
  [[nodiscard]] bool scarce() const noexcept override { return scarce_; }

 private:
  dataset::feed& feed_;
  std::span<const std::uint64_t> due_;
  const prompts::lora_modules& adapters_;
  bool scarce_;
};

/// `count` copies of one sample, all due immediately, for ready check and warm-up.
class repeated final : public client::source {
 public:
  /// `sample` must outlive the requests.
  repeated(const ifb_sample& sample, std::uint64_t count, std::uint64_t now)
      : sample_(sample), count_(count), now_(now) {}

  [[nodiscard]] dataset::taken try_take(client::job& out) override;

 private:
  const ifb_sample& sample_;
  std::uint64_t count_;
  std::uint64_t now_;
  std::atomic<std::uint64_t> next_ = 0;
};

}  // namespace inferbench::run

// Where the workers' jobs come from.
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

/// The jobs of a run.
class run_source : public client::source {
 public:
  /// What the schedule's offsets count from. Before anybody asks for a job.
  void start_at(std::uint64_t start_ns) noexcept { start_ns_ = start_ns; }

  /// One of its jobs is over. On the worker's thread.
  virtual void answered(const client::record&) {}

  /// What it has to say about the run, after it.
  virtual void add_facts(metrics::context&) const {}

 protected:
  std::uint64_t start_ns_ = 0;
};

/// The samples of a run, each due at its place in the schedule.
class scheduled final : public run_source {
 public:
  /// `due` are offsets from the start, one for each sample of the feed; empty: each sample
  /// says its own. All outlive this; the feed has been started. `scarce`: several workers share a
  /// limit of requests under way.
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

/// `count` copies of one sample, all due at once: ready check and warm-up.
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

// Keeps a run honest about the server's prefix cache: salts its prompts where that is asked for,
// and compares what they share with what the cache gave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/log.hpp"
#include "config/plan.hpp"
#include "dataset/feed.hpp"
#include "metrics/context.hpp"
#include "observe/prefix_cache.hpp"
#include "observe/server_counters.hpp"
#include "prompts/prefix_sharing.hpp"
#include "prompts/salt.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::observe {

/// Main thread, but for salt_them(), see() and answers(). References outlive it.
class cache_watch {
 public:
  /// `feed` is prepared. `tokens`: nullptr where the run has none. `servers` take turns.
  cache_watch(const config::plan& plan, const dataset::feed& feed,
              const services::tokenizer* tokens, std::size_t servers, bool pooling);

  /// How many samples the two that follow are best given together.
  [[nodiscard]] std::size_t at_once() const noexcept;
  /// [feeding thread]
  void salt_them(std::span<const dataset::sample_ptr> prompts) noexcept;
  /// As they will be sent. [feeding thread]
  void see(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// Before the feed starts; run `number` of a series, from 1.
  void begin(std::int64_t number);

  /// For the collector, from begin() until it has ended.
  [[nodiscard]] cached_answers& answers() noexcept { return answers_; }

  /// After feed and collector: facts "salt" and "prefix_cache", and what the user is to know.
  /// `counted`: by the server during the run.
  void end(std::optional<prefix_cache_counts> counted, metrics::context& context,
           base::log& log) const;

 private:
  const config::plan& plan_;
  const dataset::feed& feed_;
  bool pooling_;
  std::optional<prompts::salt> salt_;
  prompts::prefix_sharing sharing_;
  cached_answers answers_;
};

}  // namespace inferbench::observe

// Watches the server's prefix cache during a run: salts the prompts on request, and compares the
// share that the prompts have in common with the share that came from the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

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

/// For the main thread, except salt_them(), see() and answers(). References outlive the object.
class cache_watch {
 public:
  struct settings {
    std::string salt;                 // put before each prompt; empty: none
    config::preparation preparation;  // requests that the server has seen before the traffic
    std::size_t servers = 1;          // that requests go to in turn
    bool comparable = true;           // false: the server's counts are not about these prompts
  };

  /// `feed` is prepared. `tokens`: nullptr if the run has no tokenizer.
  cache_watch(settings with, const dataset::feed& feed, const services::tokenizer* tokens);

  /// The best number of samples per call of salt_them() and see().
  [[nodiscard]] std::size_t at_once() const noexcept;
  /// [feeding thread]
  void salt_them(std::span<const dataset::sample_ptr> prompts) noexcept;
  /// Takes the prompts as they will be sent. [feeding thread]
  void see(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// Call this before the feed starts; the run is number `number` of a series, from 1.
  void begin(std::int64_t number);

  /// For the collector, from begin() until the collector has ended.
  [[nodiscard]] cached_answers& answers() noexcept { return answers_; }

  /// Call this after feed and collector have ended: sets the facts "salt" and "prefix_cache" and
  /// logs notes for the user. `counted`: by the server during the run.
  void end(std::optional<prefix_cache_counts> counted, metrics::context& context,
           base::log& log) const;

 private:
  settings with_;
  const dataset::feed& feed_;
  std::optional<prompts::salt> salt_;
  prompts::prefix_sharing sharing_;
  cached_answers answers_;
};

}  // namespace inferbench::observe

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

/// Used by the main thread, except salt_them(), see() and answers(). Everything that the
/// constructor takes by reference must outlive the object.
class cache_watch {
 public:
  struct settings {
    std::string salt;                 // put before each prompt; empty: no salt
    config::preparation preparation;  // describes the requests that the server gets before the
                                      // traffic
    std::size_t servers = 1;          // the number of servers, to which requests go in turn
    bool comparable = true;           // false: the server's counters do not count these prompts
  };

  /// `feed` must be prepared. `tokens` is nullptr if the run has no tokenizer.
  cache_watch(settings with, const dataset::feed& feed, const services::tokenizer* tokens);

  /// The best number of samples for one call of salt_them() or see().
  [[nodiscard]] std::size_t at_once() const noexcept;
  /// Adds the salt to the prompts. [feeding thread]
  void salt_them(std::span<const dataset::sample_ptr> prompts) noexcept;
  /// Examines the prompts in the form in which they will be sent. [feeding thread]
  void see(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// Call this before the feed starts. `number` is the position of the run in a series of runs,
  /// from 1.
  void begin(std::int64_t number);

  /// The object to which the collector adds, from begin() until the collector has ended.
  [[nodiscard]] cached_answers& answers() noexcept { return answers_; }

  /// Call this after feed and collector have ended: sets the facts "salt" and "prefix_cache" and
  /// logs notes for the user. `counted`: the server's counters for the run.
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

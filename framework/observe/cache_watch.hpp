// Watches the server's prefix cache during a run. Salts the prompts if the user gave a salt.
// Compares two shares of the prompt tokens: the share that the prompts of the run have in common
// (prefix_sharing.hpp), and the share that came from the server's cache (prefix_cache.hpp).
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

/// Used by the main thread, except salt_them(), see() and the object of answers(). `feed` and
/// `tokens` of the constructor must outlive the object.
class cache_watch {
 public:
  struct settings {
    std::string salt;                 // text before each prompt; empty: no salt
    config::preparation preparation;  // the requests that the server gets before the traffic
    std::size_t servers = 1;          // the number of servers, to which requests go in turn
    bool comparable = true;           // false (pooling or adapters): some servers do not cache
                                      // everything that the prompts share, so a small share from
                                      // the cache causes no warning
  };

  /// `feed` must be prepared. `tokens` is nullptr if the run has no tokenizer.
  cache_watch(settings with, const dataset::feed& feed, const services::tokenizer* tokens);

  /// The best number of samples for one call of salt_them() or see().
  [[nodiscard]] std::size_t at_once() const noexcept;
  /// Adds the salt to the prompts; does nothing without a salt. [feeding thread]
  void salt_them(std::span<const dataset::sample_ptr> prompts) noexcept;
  /// Adds the prompts, in the form in which they will be sent, to the comparison. If there is no
  /// memory, the comparison is made without the prompts that did not fit. [feeding thread]
  void see(std::span<const dataset::sample_ptr> prompts) noexcept;

  /// Call this before the feed starts. `number` is the position of the run in a series of runs,
  /// from 1.
  void begin(std::int64_t number);

  /// The cached tokens that the answers report. The collector adds the requests to this object,
  /// from begin() until the collector has ended.
  [[nodiscard]] cached_answers& answers() noexcept { return answers_; }

  /// Call this after feed and collector have ended: sets the facts "salt" and "prefix_cache" and
  /// logs notes for the user. `counted`: the server's counters for the run; nullopt if the server
  /// has no counters.
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

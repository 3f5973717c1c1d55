// Compares the share of prompt tokens that came from the server's prefix cache with the share that
// the prompts of the run have in common: more means that the cache was warm before, less that it
// does not work. A warm cache makes throughput look better than it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/record.hpp"
#include "metrics/context.hpp"
#include "observe/server_counters.hpp"
#include "prompts/prefix_sharing.hpp"

namespace inferbench::observe {

/// The cached tokens that the answers report. The collector adds; others read after it has ended.
class cached_answers {
 public:
  /// `one` must have been processed by metrics::resolve.
  void add(const client::record& one);

  std::uint64_t requests = 0;  // successful requests
  double prompt_tokens = 0;    // of the successful requests
  double around = 0;           // tokens around the prompts, which all prompts may share
  double said_cached = 0;      // by answers that report cached tokens
  double said_prompt = 0;      // prompt tokens of these answers
};

/// The values to compare.
struct cache_view {
  std::optional<prompts::shared_prefixes> shared;  // nullopt: not known
  std::optional<prefix_cache_counts> counted;      // by the server during the run, if it counts
  cached_answers answers;
  bool salted = false;
  bool may_be_less = false;  // pooling, adapters: not every server caches all that this run shares
};

/// One line for the log, and its level.
struct cache_verdict {
  std::string line;  // empty: no message
  bool warning = false;
};

/// Share of prompt tokens from the cache, as reported by the answers, otherwise by the server's
/// counters, otherwise nullopt.
[[nodiscard]] std::optional<double> observed_share(const cache_view& of);

/// Warns if much more came from the cache than the run shares, or much less; if the shared part is
/// not known, if a hundredth or more came from the cache. Otherwise returns a line without a
/// warning if the expected share came from the cache.
[[nodiscard]] cache_verdict judge_cache(const cache_view& of);

/// Sets the fact "prefix_cache": queries, hits and hit_rate of the server's counters,
/// expected_share and observed_share, each if it is known. No fact if none is known.
void add_cache_fact(const cache_view& of, metrics::context& into);

}  // namespace inferbench::observe

// What the server's prefix cache gave a run, beside what the prompts of the run share by
// themselves: more is a cache that was warm before, less is one that does not work. A warm cache
// makes throughput look better than it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/record.hpp"
#include "metrics/context.hpp"
#include "observe/server_counters.hpp"
#include "prompts/prefix_sharing.hpp"

namespace inferbench::observe {

/// What the answers say of the cache. The collector adds; others read when it has ended.
class cached_answers {
 public:
  /// A record that metrics::resolve has settled.
  void add(const client::record& one);

  std::uint64_t requests = 0;  // that succeeded
  double prompt_tokens = 0;    // of those
  double around = 0;           // of those: tokens around the prompts, that all of them may share
  double said_cached = 0;      // by answers that say so, and the prompts of those
  double said_prompt = 0;
};

/// What there is to compare.
struct cache_view {
  std::optional<prompts::shared_prefixes> shared;  // nothing: not known
  std::optional<prefix_cache_counts> counted;      // by the server during the run, where it counts
  cached_answers answers;
  bool salted = false;
  bool may_be_less = false;  // not every server keeps what this run shares: pooling, adapters
};

/// One line for the log, and how much it matters.
struct cache_verdict {
  std::string line;  // empty: nothing to tell
  bool warning = false;
};

/// Share of prompt tokens from the cache: what answers say, else what the server counts, else
/// nothing.
[[nodiscard]] std::optional<double> observed_share(const cache_view& of);

/// A warning where more came from the cache than the run shares, or far less, or, if that is not
/// known, a hundredth and more. A line all the same where as much came as the run shares.
[[nodiscard]] cache_verdict judge_cache(const cache_view& of);

/// Fact "prefix_cache": queries, hits and hit_rate of the server's counters, expected_share and
/// observed_share; each where it is known. None where nothing is.
void add_cache_fact(const cache_view& of, metrics::context& into);

}  // namespace inferbench::observe

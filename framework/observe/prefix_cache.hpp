// Compares two shares of the prompt tokens: the share that came from the server's prefix cache, and
// the share that the prompts of the run have in common. If more tokens came from the cache, the
// cache was warm before the run. If fewer came, the cache does not work. A warm cache makes
// throughput look better than it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/record.hpp"
#include "metrics/context.hpp"
#include "observe/server_counters.hpp"
#include "prompts/prefix_sharing.hpp"

namespace inferbench::observe {

/// The cached tokens that the answers report. The collector's thread calls add(); other threads
/// read after the collector has ended.
class cached_answers {
 public:
  /// Adds a request. metrics::resolve must have processed `one`.
  void add(const client::record& one);

  std::uint64_t sent = 0;      // number of requests that were sent
  std::uint64_t requests = 0;  // number of successful requests
  double prompt_tokens = 0;    // prompt tokens of the successful requests
  double around = 0;           // tokens around the prompts, which all prompts may share
  double said_cached = 0;      // cached tokens that answers report
  double said_prompt = 0;      // prompt tokens of the answers that report cached tokens
};

/// The values to compare.
struct cache_view {
  std::optional<prompts::shared_prefixes> shared;  // nullopt: the shared prefixes are not known
  std::optional<prefix_cache_counts> counted;      // the server's counters for the run; nullopt if
                                                   // the server has no counters
  cached_answers answers;
  bool salted = false;
  bool may_be_less = false;  // pooling or adapters: some servers do not cache everything that the
                             // prompts share
};

/// One line for the log, and its level.
struct cache_verdict {
  std::string line;  // empty: no message
  bool warning = false;
};

/// Share of prompt tokens from the cache. The answers report it; if they do not, the server's
/// counters do. nullopt if neither is known.
[[nodiscard]] std::optional<double> observed_share(const cache_view& of);

/// Warns if the share from the cache is much larger or much smaller than the share that the prompts
/// have in common. If the latter is not known, warns if the prompts have no salt and at least a
/// hundredth came from the cache. Otherwise the line reports the share that came from the cache; it
/// is empty if the share is below a hundredth or not known.
[[nodiscard]] cache_verdict judge_cache(const cache_view& of);

/// Sets the fact "prefix_cache": queries, hits and hit_rate of the server's counters,
/// expected_share and observed_share. Values that are not known are left out. Without a known value
/// there is no fact.
void add_cache_fact(const cache_view& of, metrics::context& into);

}  // namespace inferbench::observe

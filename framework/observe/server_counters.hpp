// The server's own counters from GET /metrics: speculative decoding, diffusion decoding and the
// prefix cache. The metrics of a run are differences of two snapshots, one before and one after the
// traffic. Parsing and arithmetic do no I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "metrics/context.hpp"
#include "services/target.hpp"

namespace inferbench::observe {

// The members are doubles: their values come from an external text, and their sums must not
// overflow.
struct speculation_counts {
  double drafts = 0;
  double draft_tokens = 0;
  double accepted = 0;
  std::map<std::int64_t, double> accepted_at;  // accepted tokens; the key is the position in the
                                               // draft
};

struct diffusion_counts {
  double steps = 0;
  double positions = 0;
  double committed = 0;
};

struct prefix_cache_counts {
  double queries = 0;
  double hits = 0;
};

/// Sums over all label sets and all servers. A group is absent if the server does not have its
/// counters.
struct server_counters {
  std::optional<speculation_counts> speculative;
  std::optional<diffusion_counts> denoising;
  std::optional<prefix_cache_counts> cache;

  void add(const server_counters& other);
};

/// The counters of a page in Prometheus' text format (prometheus_text.hpp), by upstream's rule: the
/// value is the text after the first white space. So a line with a time stamp, or with blanks in a
/// label, is ignored. The fraction of the value is cut off.
[[nodiscard]] server_counters read_counters(std::string_view page);

/// Queries all servers and returns the sum. nullopt unless each server answers with status 200
/// before `stop` returns true. The requests contain the API key and the user's headers.
[[nodiscard]] std::optional<server_counters> ask_counters(const services::target& servers,
                                                          const std::function<bool()>& stop = {});

/// Adds the metrics of a run and the fact "spec_decode". Implausible values are left out, for
/// instance if a counter was reset during the run.
void add_server_figures(const server_counters& before, const server_counters& after,
                        double duration_s, metrics::context& into);

/// Queries and hits of the prefix cache between the snapshots. nullopt if the server has no such
/// counters, or if they were reset.
[[nodiscard]] std::optional<prefix_cache_counts> cache_gain(const server_counters& before,
                                                            const server_counters& after);

}  // namespace inferbench::observe

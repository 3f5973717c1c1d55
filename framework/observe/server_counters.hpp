// What the server itself counts on GET /metrics: speculative decoding, diffusion decoding
// and the prefix cache. Two snapshots, before and after the traffic, make the figures of a
// run. Parsing and arithmetic are pure.
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

// Doubles: a page is foreign text, and its sums must not overflow.
struct speculation_counts {
  double drafts = 0;
  double draft_tokens = 0;
  double accepted = 0;
  std::map<std::int64_t, double> accepted_at;  // by position in the draft
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

/// Sums over all label sets, and over all servers. A group that the server does not have
/// is absent.
struct server_counters {
  std::optional<speculation_counts> speculative;
  std::optional<diffusion_counts> denoising;
  std::optional<prefix_cache_counts> cache;

  void add(const server_counters& other);
};

/// A page in Prometheus' text format, by upstream's rule: the value is what follows the
/// first white space, so that a line with a time stamp, or with blanks in a label, does not
/// count; it is cut to a whole number.
[[nodiscard]] server_counters read_counters(std::string_view page);

/// The sum over all servers; nothing unless each answers with 200 before `stop` says yes.
/// With API key and headers.
[[nodiscard]] std::optional<server_counters> ask_counters(const services::target& servers,
                                                          const std::function<bool()>& stop = {});

/// The figures of a run, and the fact "spec_decode". What makes no sense, such as counters
/// that began anew during the run, gives none.
void add_server_figures(const server_counters& before, const server_counters& after,
                        double duration_s, metrics::context& into);

/// What the prefix cache was asked, and what it had, meanwhile. Nothing where the server does not
/// count that, or began to count anew.
[[nodiscard]] std::optional<prefix_cache_counts> cache_gain(const server_counters& before,
                                                            const server_counters& after);

}  // namespace inferbench::observe

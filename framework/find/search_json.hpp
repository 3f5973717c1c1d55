// The JSON of a search and of its probes: the file find.json, the fact "search" of the table of
// runs, and the fact "probe" of each run. docs/find.md describes the members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "limit/evidence.hpp"
#include "limit/wording.hpp"
#include "metrics/health.hpp"

namespace inferbench::find {

/// A run of the search beside its evidence.
struct probe_run {
  std::optional<double> hit_rate;  // share of the prompts' tokens from the server's prefix cache
  double duration_s = 0;
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;  // without those that the end of the traffic cancelled
  std::string first_error;   // of the failed requests
  std::string journal;       // path; empty: none
  metrics::verdict client;   // whether the client kept up
};

/// The facts of a search beside its record.
struct search_facts {
  std::string command;  // of the user, without secrets
  std::string over;     // "request_rate" or "max_concurrency"
  std::vector<std::string> goals;
  double alpha = 0;
  double assumed_correlation = 0;  // limit::judge_settings
  bool interrupted = false;
  bool failed = false;          // a run could not begin, or its data failed
  std::vector<probe_run> runs;  // of the probes, in their order
};

/// The object of one probe without its load and its run.
[[nodiscard]] std::string probe_json(const limit::probe_evidence& of);

/// The whole object, in one line.
[[nodiscard]] std::string search_json(const limit::search_record& search,
                                      const search_facts& about);

/// Whether the limit is certified: no goal is only estimated.
[[nodiscard]] bool is_certified(const limit::search_record& search);

}  // namespace inferbench::find

// One run that is compared: its figures, its settings, and what is doubtful about it; from a result
// file of this program or of `vllm bench serve`, `throughput` and `latency`, or from a journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <inferbench/json_reader.hpp>

#include "base/log.hpp"
#include "compare/declared_figure.hpp"
#include "compare/run_settings.hpp"

namespace inferbench::compare {

/// The place of a run that `compare --run` has made (paired_runs.hpp).
struct block_place {
  std::string id;          // of the whole comparison: blocks of two comparisons are no pairs
  std::size_t arm = 0;     // 0: the base
  std::size_t block = 0;   // from 0
  std::size_t number = 0;  // of the two runs of the arm in the block: 0 or 1

  friend bool operator==(const block_place&, const block_place&) = default;
};

struct measured_run {
  std::filesystem::path file;
  std::string name;  // that the run itself states; empty: it states none
  benchmark of = benchmark::server;
  figure_values figures;
  run_settings settings;
  std::optional<double> completed, failed;  // requests; a cancelled request is neither, if the run
                                            // states which requests were cancelled
  std::optional<double> cached_share;       // of the prompts' tokens, from the prefix cache
  std::string verdict;                      // on the client: "VALID", ...; empty: not stated
  bool interrupted = false;
  std::int64_t started_unix_ns = 0;  // 0: not known; this and the next member
  std::int64_t finished_unix_ns = 0;
  std::optional<block_place> place;
  /// The object of the result file; nullptr: the file is a journal.
  std::shared_ptr<const ifb::json_document> result;

  /// Whether no request was completed.
  [[nodiscard]] bool completed_nothing() const noexcept { return completed == 0.0; }
  /// The share of the requests that failed; nullopt if the run does not state it.
  [[nodiscard]] std::optional<double> failed_share() const noexcept;
};

/// Whether the file begins like a journal. False for a file that cannot be read.
[[nodiscard]] bool is_journal(const std::filesystem::path& file);

/// Whether the object is a result of one of the benchmarks.
[[nodiscard]] std::optional<benchmark> benchmark_of(const ifb::json_value& result);

/// Reads a run. Percentiles that only `declared` names are computed if the file is a journal; its
/// damage is logged. Throws base::error with the file if it cannot be read or has no run.
[[nodiscard]] measured_run read_run(const std::filesystem::path& file,
                                    std::span<const declared_figure> declared, base::log& log);

}  // namespace inferbench::compare

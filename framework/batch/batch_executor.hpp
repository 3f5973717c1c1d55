// An engine that carries out a list of samples in one call: the engine of a plugin
// (plugin_executor.hpp) or a server (http_executor.hpp). The benchmarks of this folder know only
// this interface.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "client/record.hpp"

namespace inferbench::batch {

/// A number that the engine measured itself (ifb_measure).
struct engine_measure {
  std::string name;
  std::string unit;  // "s" or "1"
  double value = 0;
  std::uint64_t began_ns = 0, ended_ns = 0;  // of the host's clock; 0: not known
};

/// The engine after it is loaded.
struct engine_facts {
  std::int64_t max_model_len = -1;  // -1: not known
  std::uint64_t load_ns = 0;
  std::vector<engine_measure> measures;  // parts of the start
  std::string profiler, profile_path;    // empty: there is no profiler
  std::string description;
  std::uint64_t clock_bound_ns = 0;  // largest error of the engine's times

  /// False if the engine has a clock of its own, whose times have no place on the host's clock.
  [[nodiscard]] bool has_tied_clock() const noexcept {
    constexpr std::uint64_t largest_bound_ns = 1'000'000'000;
    return clock_bound_ns < largest_bound_ns;
  }
};

/// One batch. Everything that it refers to must live until run() returns.
struct batch_order {
  std::uint32_t mode = IFB_BATCH_GENERATE;
  std::uint32_t flags = 0;  // ifb_batch_flag
  std::span<const ifb_batch_item> items;
  ifb_sampling sampling{};
  std::string request_id_prefix = {};
  bool keep_texts = false;  // records have the text of their answer
};

/// The answer to one sample.
struct batch_answer {
  /// Counts are of all outputs of the sample, the text is that of the first output. Times are of
  /// the host's clock, or 0 if the engine does not know them; due_ns is the begin of the section.
  client::record record;
  std::uint32_t outputs = 0;
  std::uint32_t finished = 0;  // outputs that are complete
  std::uint64_t arrived_ns = 0;
  std::vector<engine_measure> measures;
};

/// The times that the engine knows of each request.
enum class time_detail : std::uint8_t { end, first_and_last, events };

struct batch_outcome {
  std::uint64_t began_ns = 0, elapsed_ns = 0;  // the timed section, of the host's clock
  std::vector<batch_answer> answers;           // in the order of the items
  std::vector<engine_measure> measures;        // stages of the whole batch
  time_detail detail = time_detail::events;    // the least of all requests
};

/// Throws base::error for --profile if the engine has no profiler.
void require_profiler(const engine_facts& engine);

/// The sampling parameters of upstream's benchmarks: `n` outputs of `max_tokens` tokens (-1: the
/// length that each sample wants), temperature and top_p 1, the end of sequence is ignored.
[[nodiscard]] ifb_sampling full_length_sampling(std::int64_t n, std::int64_t max_tokens);

/// The sampling parameters of upstream's scripts: one output of at most `max_tokens` tokens, with
/// temperature 0, which the end of sequence ends earlier.
[[nodiscard]] ifb_sampling greedy_sampling(std::int64_t max_tokens);

/// Throws base::error if a request failed: the time of a batch that is not complete means nothing.
/// `if_unsupported`: the remedy if the engine does not support the request.
void require_complete(const batch_outcome& of, const char* if_unsupported = "");

/// Used by one thread, except for cancel().
class batch_executor {
 public:
  batch_executor() = default;
  batch_executor(const batch_executor&) = delete;
  batch_executor& operator=(const batch_executor&) = delete;
  virtual ~batch_executor() = default;

  /// Constructs the engine. Call it once, before run(). Throws base::error.
  [[nodiscard]] virtual engine_facts load() = 0;

  /// Carries out the batch. A sample that failed is an answer. Throws base::error if the whole
  /// batch failed or was cancelled.
  [[nodiscard]] virtual batch_outcome run(const batch_order& order) = 0;

  /// Makes a call of load() or run() end soon with an error. Any thread.
  virtual void cancel() noexcept = 0;
};

}  // namespace inferbench::batch

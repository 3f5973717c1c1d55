// The computed times of a batch: the model of the engine's scheduler.
//
//   - The requests of a batch are added to the queue in order, one in each `enqueue-time`. The
//     scheduler takes them in this order; if the batch is queued beforehand (prequeue), it begins
//     when all are in the queue.
//   - `max-batch` requests run at once. A request starts as soon as it is in the queue and fewer
//     run, and runs until its last token, also if it has several outputs or beams.
//   - first token = start + stages of each medium + `encoder-time` of each medium + `ttft`
//   - token k (from 0) = first token + k * `itl`, one for each output
//
// So requests of equal length that start together have their tokens in common steps, as in an
// engine with continuous batching. Pure computation, in nanoseconds from the begin of the timed
// section.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "reference_options.hpp"
#include "request_facts.hpp"

namespace reference_engine {

/// Longest time that the engine computes: 366 days.
inline constexpr std::uint64_t longest_time_ns = 366ULL * 86'400 * 1'000'000'000;

struct mm_stage {
  std::string_view name;  // upstream's: "get_mm_hashes_secs"
  std::uint64_t each_ns;  // for each medium
};
/// The stages before the encoder, in their order.
[[nodiscard]] std::array<mm_stage, 5> mm_stages(const reference_options& given);

struct request_times {
  std::uint64_t arrived = 0;  // in the queue
  std::uint64_t start = 0;
  std::uint64_t first = 0;  // first token; the end of a request that fails
  std::uint64_t last = 0;   // last token
  std::uint32_t slot = 0;   // one of the requests that run at once, from 0
};

class batch_schedule {
 public:
  /// `given` must outlive this object. Throws failure like add().
  batch_schedule(const reference_options& given, std::uint64_t requests, bool prequeue);

  /// The times of the next request. Throws failure with IFB_E_CONFIG if one is beyond
  /// longest_time_ns.
  request_times add(const request_facts& facts, bool fails);
  /// The next request is refused when it is added to the queue.
  void add_refused() { enqueue(); }
  /// The length of the timed section.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }

 private:
  std::uint64_t enqueue();

  const reference_options* given_;
  std::uint64_t enqueue_each_, scheduler_begin_ = 0;
  std::uint64_t enqueued_ = 0;  // requests
  std::uint64_t length_ = 0;
  // Ends and slots of the running requests, the first end on top.
  using running_request = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<running_request, std::vector<running_request>, std::greater<>> running_;
};

/// From the start of a request to its first token. Throws failure like batch_schedule::add().
[[nodiscard]] std::uint64_t time_to_first(const reference_options& given,
                                          const request_facts& facts);

}  // namespace reference_engine

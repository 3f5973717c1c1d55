// The figures of one request, as vLLM's benchmark_serving_multi_turn defines them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <inferbench/abi.h>

namespace multi_turn {

struct turn_request {
  double ttft_ms = 0;     // corrected for a first chunk of several tokens
  double tpot_ms = 0;     // 0 if the answer has no token after the first chunk
  double latency_ms = 0;  // from start to the end of the answer
  double start_time_ms = 0;
  std::int64_t input_num_turns = 0;   // messages that were sent
  std::int64_t input_num_tokens = 0;  // of these messages, without the template
  std::int64_t output_num_tokens = 0;
  std::int64_t output_num_chunks = 0;  // events with text after the first
  std::int64_t output_num_first_chunk_tokens = 0;
  double approx_cached_percent = 0;  // share of the input before the last question
  std::string conversation_id;
  std::int64_t client_id = 0;
};

/// Counts the tokens of a text; empty: the run has no tokenizer.
using token_counter = std::function<std::int64_t(std::string_view)>;

/// Makes the figures of the successful requests of a run, in the order of completion.
class turn_requests {
 public:
  explicit turn_requests(token_counter count) : count_(std::move(count)) {}

  /// Adds a record with IFB_OK and a session; other records are not allowed. The requests of a
  /// session must come in their order.
  ///
  /// Figures: latency = end - start; ttft = first text of the answer - start, or latency without
  /// text. Let out be the tokens of the answer and f those of its first event with text. Then
  /// tpot = (latency - ttft) / (out - f), or 0 unless out > 1 and out > f; and if f > 1 the ttft
  /// becomes max(0.1 ms, ttft - (f - 1) * tpot). The input of a later turn is the input and the
  /// answer of the turn before, and the new question.
  void add(const ifb_record& record);

  [[nodiscard]] const std::vector<turn_request>& all() const noexcept { return all_; }

 private:
  struct history {
    std::int64_t input = -1;  // of the last request; -1: unknown
    std::int64_t output = -1;
  };

  [[nodiscard]] std::int64_t first_chunk_tokens(const ifb_record& record, std::int64_t out) const;

  token_counter count_;
  std::vector<turn_request> all_;
  std::unordered_map<std::string, history> sessions_;
};

}  // namespace multi_turn

// Every figure of this program, defined once: what it is called, counted in and
// computed from. Reporters print what stands here, documents are generated from it.
//
// Names of upstream's figures are the keys of `vllm bench serve` result files. In
// the formulas below a stamp is the member of client::record of that name, "token"
// means any stream event (upstream's rule), and only successful requests count
// unless it says otherwise.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <inferbench/abi.h>

namespace inferbench::metrics {

/// In the order of the table, which is the order of reports and result files.
enum class metric : std::size_t {
  duration,
  completed,
  failed,
  total_input_tokens,
  total_output_tokens,
  total_input_sequences,
  request_throughput,
  input_sequence_throughput,
  request_goodput,
  output_throughput,
  total_token_throughput,
  max_output_tokens_per_s,
  max_concurrent_requests,
  rtfx,
  total_cached_tokens,
  probe_completed,
  probe_failed,
  probe_median_e2el,
  probe_p99_e2el,
  probe_max_e2el,
  spec_decode_acceptance_rate,
  spec_decode_acceptance_length,
  spec_decode_num_drafts,
  spec_decode_draft_tokens,
  spec_decode_accepted_tokens,
  diffusion_committed_throughput,
  diffusion_steps_per_canvas,
  diffusion_committed_per_step,
  diffusion_committed_tokens,
  diffusion_denoising_steps,
  diffusion_canvas_positions,
  ttft,
  tpot,
  itl,
  e2el,
  client_queue_time,
  e2el_including_client_queue,
  ttft_from_due,
  e2el_from_due,
  ttft_text,
  ttft_answer,
  send_lag,
  peak_concurrency,
  events_per_token,
  peak_output_tokens_per_s,
};

struct definition {
  metric id;
  const char* name;
  const char* unit;
  const char* title;
  const char* label;
  const char* help;     // the formula, in a sentence
  std::uint32_t flags;  // INTEGER, SUMMARY and UPSTREAM of ifb_metric_flag
};

[[nodiscard]] std::span<const definition> table() noexcept;
[[nodiscard]] const definition& define(metric id) noexcept;
/// nullptr when there is no such figure.
[[nodiscard]] const definition* find(std::string_view name) noexcept;

}  // namespace inferbench::metrics

// Every figure of this program, defined once: its name, its unit, the runs that have it and its
// computation. What collects values, describes and bounds them goes through these rows and knows
// none of them by name.
//
// Names of upstream's figures are the keys of `vllm bench serve` result files. In the help texts a
// stamp is the member of client::record of that name, "token" means any stream event (upstream's
// rule), and only successful requests count unless the text says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include <inferbench/abi.h>

namespace inferbench::metrics {

struct context;
struct latency;
struct outcome;
struct request_times;

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
  count  // no figure: how many there are
};

/// Whether runs of a kind have a figure.
enum class standing : std::uint8_t {
  absent,     // they do not have it
  reported,   // they have it; --percentile-metrics cannot select it
  selectable  // a summary that --percentile-metrics may select for upstream's part of the report
};

/// The part of a summary that the reporter `console` prints.
enum class printed : std::uint8_t {
  nothing,
  median_and_p99,  // a line in our part
  all              // a section of upstream's: mean, median and each percentile
};

// The computation of a figure is one of these four.
/// One number for the run.
using of_run = double (*)(const outcome&);
/// A summary of the values of all requests that were sent; nothing: this request has none. Rows of
/// the same function share their values.
using of_request = std::optional<latency> (*)(const request_times&);
/// A summary of the gaps between the events of all streams.
struct of_gaps {};
/// None: the run measures it beside the requests and puts it into context::beside.
struct of_context {};
using computation = std::variant<of_run, of_request, of_gaps, of_context>;

struct definition {
  metric id;
  const char* name;
  const char* unit;
  const char* title;
  const char* label;
  const char* help;     // the formula, in a sentence
  std::uint32_t flags;  // INTEGER, SUMMARY and UPSTREAM of ifb_metric_flag
  standing (*in)(const context&);
  computation how;
  printed shown;           // of a summary that is not selected
  bool own_delay = false;  // it is the client's, and so has no bound
};

using definitions = std::span<const definition>;

[[nodiscard]] definitions table() noexcept;
[[nodiscard]] const definition& define(metric id) noexcept;
/// nullptr when there is no such figure.
[[nodiscard]] const definition* find(std::string_view name) noexcept;

}  // namespace inferbench::metrics

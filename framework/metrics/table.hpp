// Every figure of this program, defined once: its name, its unit, the runs that have it and its
// computation. The code that collects values, describes them and computes their bounds iterates
// over these rows. It does not use the name of any figure.
//
// Upstream's figures are named like the keys of `vllm bench serve` result files. In the help texts,
// a stamp has the name of the member of client::record, and "token" means any stream event
// (upstream's rule). Only successful requests count unless the text says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include <inferbench/abi.h>

namespace inferbench::client {
struct record;
}

namespace inferbench::metrics {

struct context;
class good_request;
struct latency;
struct outcome;
struct request_times;

/// The order is that of the table, of reports and of result files.
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
  correct_rate,
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
  count  // not a figure: the number of figures
};

/// Whether runs of a kind have a figure.
enum class standing : std::uint8_t {
  absent,     // the run does not have the figure
  reported,   // the run has the figure; --percentile-metrics cannot select it
  selectable  // a summary that --percentile-metrics may select for upstream's part of the report
};

/// The part of a summary that the reporter `console` prints.
enum class printed : std::uint8_t {
  nothing,
  median_and_p99,  // a line in this program's own part
  all              // a section in upstream's part: mean, median and each percentile
};

/// Whether a higher or a lower value of a figure is better. neither: for example a number of
/// tokens.
enum class direction : std::uint8_t { neither, higher, lower };

/// Returns the amount of one successful request, such as its output tokens. A rate over the time of
/// the run is the sum of the amounts of all requests divided by the duration.
using request_amount = double (*)(const client::record&, const request_times&, const good_request&);

// The computation of a figure is one of these four.
/// Computes one number for the run.
using of_run = double (*)(const outcome&);
/// Returns the value of one request; nullopt if the request has no value. The figure is a summary
/// of the values of all sent requests. Rows with the same function share one set of values.
using of_request = std::optional<latency> (*)(const request_times&);
/// The figure is a summary of the gaps between the events of all streams.
struct of_gaps {};
/// The figure is not computed here: the run measures it separately and stores it in
/// context::beside.
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
  printed shown;  // the printed part if the summary is not selected
  // A comparison of runs takes only figures that have a better direction.
  direction better = direction::neither;
  bool own_delay = false;  // the delay is the client's own, so the figure has no bound
  // The amounts of a rate over the time of the run. A search for the largest load judges a goal for
  // the rate by them. nullptr: a search refuses the figure.
  request_amount amount = nullptr;
  bool needs_limits = false;  // the figure counts good requests, so it needs limits (--goodput)
  // For a number of sent requests, or such a number per second: whether the figure counts a
  // request. A goal may then limit the share of the sent requests.
  bool (*counted)(const request_times&, const good_request&) = nullptr;
};

using definitions = std::span<const definition>;

[[nodiscard]] definitions table() noexcept;
[[nodiscard]] const definition& define(metric id) noexcept;
/// nullptr if no figure has this name.
[[nodiscard]] const definition* find(std::string_view name) noexcept;

}  // namespace inferbench::metrics

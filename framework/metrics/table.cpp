#include "metrics/table.hpp"

#include <algorithm>
#include <array>

namespace inferbench::metrics {
namespace {

constexpr std::uint32_t whole = IFB_METRIC_INTEGER;
constexpr std::uint32_t set = IFB_METRIC_SUMMARY;
constexpr std::uint32_t theirs = IFB_METRIC_UPSTREAM;

constexpr std::array definitions = {
    definition{metric::duration, "duration", "s", "Benchmark Duration", "Duration",
               "Time from just before the first request until the last one has ended.", theirs},
    definition{metric::completed, "completed", "1", "Successful Requests", "Completed",
               "Requests that succeeded.", theirs | whole},
    definition{metric::failed, "failed", "1", "Failed Requests", "Failed",
               "Requests that were sent and did not succeed.", theirs | whole},
    definition{metric::total_input_tokens, "total_input_tokens", "token", "Total Input Tokens",
               "Input tokens", "Sum of prompt tokens, by the server's count where it gave one.",
               theirs | whole},
    definition{metric::total_output_tokens, "total_output_tokens", "token",
               "Total Generated Tokens", "Output tokens",
               "Sum of output tokens: the server's count unless zero, else those of the text.",
               theirs | whole},
    definition{metric::total_input_sequences, "total_input_sequences", "1", "Total Input Sequences",
               "Input sequences",
               "Sum of inputs in pooling requests: texts, token lists or documents.",
               theirs | whole},
    definition{metric::request_throughput, "request_throughput", "req/s", "Request Throughput",
               "Requests", "completed / duration", theirs},
    definition{metric::input_sequence_throughput, "input_sequence_throughput", "input/s",
               "Input Throughput", "Inputs", "total_input_sequences / duration", theirs},
    definition{metric::request_goodput, "request_goodput", "req/s", "Request Goodput", "Goodput",
               "Requests that met every limit of --goodput / duration.", theirs},
    definition{metric::output_throughput, "output_throughput", "token/s", "Output Token Throughput",
               "Output tokens", "total_output_tokens / duration", theirs},
    definition{metric::total_token_throughput, "total_token_throughput", "token/s",
               "Total Token Throughput", "Tokens",
               "(total_input_tokens + total_output_tokens) / duration", theirs},
    definition{metric::max_output_tokens_per_s, "max_output_tokens_per_s", "event/s",
               "Peak Output Token Throughput", "Peak output",
               "Most stream events in one second, seconds counted from the first start.", theirs},
    definition{metric::max_concurrent_requests, "max_concurrent_requests", "1",
               "Peak Concurrent Requests", "Peak requests",
               "Most requests that touch one and the same second, counted from the first start; "
               "an upper bound of peak_concurrency for the successful ones.",
               theirs | whole},
    definition{metric::rtfx, "rtfx", "1", "RTFx (Inverse Real-Time Factor)", "RTFx",
               "Sum of input audio durations / duration", theirs},
    definition{metric::total_cached_tokens, "total_cached_tokens", "token", "Total Cached Tokens",
               "Cached tokens",
               "Sum of the prompt tokens that the server says it took from its prefix cache.",
               theirs | whole},
    definition{metric::probe_completed, "probe_completed", "1", "Probe Requests Completed",
               "Probes completed", "Probes that succeeded.", theirs | whole},
    definition{metric::probe_failed, "probe_failed", "1", "Probe Requests Failed", "Probes failed",
               "Probes that did not succeed.", theirs | whole},
    definition{metric::probe_median_e2el, "probe_median_e2el_ms", "ms", "Median Probe E2EL",
               "Median probe E2EL", "Median latency of the probes that succeeded.", theirs},
    definition{metric::probe_p99_e2el, "probe_p99_e2el_ms", "ms", "P99 Probe E2EL",
               "P99 probe E2EL", "99th percentile of the latency of the probes that succeeded.",
               theirs},
    definition{metric::probe_max_e2el, "probe_max_e2el_ms", "ms", "Max Probe E2EL",
               "Max probe E2EL", "Longest latency of the probes that succeeded.", theirs},
    definition{metric::spec_decode_acceptance_rate, "spec_decode_acceptance_rate", "%",
               "Speculative Acceptance Rate", "Acceptance rate",
               "100 * accepted / drafted tokens, by the server's counters during the run.", theirs},
    definition{metric::spec_decode_acceptance_length, "spec_decode_acceptance_length", "token",
               "Speculative Acceptance Length", "Acceptance length",
               "1 + accepted tokens / drafts.", theirs},
    definition{metric::spec_decode_num_drafts, "spec_decode_num_drafts", "1", "Drafts", "Drafts",
               "Drafts during the run, by the server's counter.", theirs | whole},
    definition{metric::spec_decode_draft_tokens, "spec_decode_draft_tokens", "token",
               "Draft Tokens", "Draft tokens", "Tokens drafted during the run.", theirs | whole},
    definition{metric::spec_decode_accepted_tokens, "spec_decode_accepted_tokens", "token",
               "Accepted Tokens", "Accepted tokens",
               "Drafted tokens that were accepted during the run.", theirs | whole},
    definition{metric::diffusion_committed_throughput, "diffusion_committed_throughput", "token/s",
               "Diffusion Committed Throughput", "Committed throughput",
               "Committed tokens / duration, by the server's counters.", theirs},
    definition{metric::diffusion_steps_per_canvas, "diffusion_steps_per_canvas", "1",
               "Denoising Steps per Canvas", "Steps per canvas",
               "Denoising steps without commit steps / canvases.", theirs},
    definition{metric::diffusion_committed_per_step, "diffusion_committed_per_step", "token",
               "Committed per Denoising Step", "Committed per step",
               "Committed tokens / denoising steps without commit steps.", theirs},
    definition{metric::diffusion_committed_tokens, "diffusion_committed_tokens", "token",
               "Committed Tokens", "Committed tokens", "Tokens committed during the run.",
               theirs | whole},
    definition{metric::diffusion_denoising_steps, "diffusion_denoising_steps", "1",
               "Denoising Steps", "Denoising steps",
               "Denoising steps during the run, commit steps left out.", theirs | whole},
    definition{metric::diffusion_canvas_positions, "diffusion_canvas_positions", "1",
               "Canvas Positions Evaluated", "Canvas positions",
               "Canvas positions evaluated during the run.", theirs | whole},
    definition{metric::ttft, "ttft", "ms", "Time to First Token", "TTFT",
               "First token - start_ns, for each request.", theirs | set},
    definition{metric::tpot, "tpot", "ms", "Time per Output Token (excl. 1st token)", "TPOT",
               "(last token - first token) / (output tokens - 1), for requests of two or more.",
               theirs | set},
    definition{metric::itl, "itl", "ms", "Inter-token Latency", "ITL",
               "Time between neighbouring tokens, of all requests together.", theirs | set},
    definition{metric::e2el, "e2el", "ms", "End-to-end Latency", "E2EL",
               "Last token - start_ns; for pooling end_ns - start_ns.", theirs | set},
    definition{metric::client_queue_time, "client_queue_time", "ms", "Client-side Queueing",
               "Client Queue Time", "start_ns - due_ns: the wait for a free slot.", theirs | set},
    definition{metric::e2el_including_client_queue, "e2el_including_client_queue", "ms",
               "Queue-inclusive End-to-end Latency", "E2EL incl. Client Queue",
               "e2el + client_queue_time", theirs | set},
    definition{metric::ttft_from_due, "ttft_from_due", "ms", "Time to First Token from Due Time",
               "TTFT from due",
               "First text - due_ns, of an answer without text its first token: what a user who "
               "came on time has waited.",
               set},
    definition{metric::e2el_from_due, "e2el_from_due", "ms", "End-to-end Latency from Due Time",
               "E2EL from due", "Last token - due_ns; for pooling end_ns - due_ns.", set},
    definition{metric::ttft_text, "ttft_text", "ms", "Time to First Text", "First text",
               "first_text_ns - start_ns, for requests with text: empty first events do not count.",
               set},
    definition{
        metric::ttft_answer, "ttft_answer", "ms", "Time to First Answer Text", "First answer text",
        "first_answer_ns - start_ns, for requests with an answer: neither empty first events "
        "nor reasoning count.",
        set},
    definition{metric::send_lag, "send_lag", "ms", "Send Lag", "Send lag",
               "sent_ns - due_ns of every request whose first byte left, successful or not.", set},
    definition{metric::peak_concurrency, "peak_concurrency", "1", "Exact Peak Concurrency",
               "Peak concurrency",
               "Most requests between start_ns and end_ns at one instant, failed ones included; "
               "a request that ends when another starts has made room for it.",
               whole},
    definition{metric::events_per_token, "events_per_token", "1", "Stream Events per Token",
               "Events per token",
               "Stream events / output tokens: below 1 the server packs tokens together.", 0},
    definition{metric::peak_output_tokens_per_s, "peak_output_tokens_per_s", "token/s",
               "Peak Output Tokens per Second", "Peak output tokens",
               "Most output tokens in one second, seconds counted from the first start; the "
               "tokens of a request are shared out evenly among its stream events.",
               0},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < definitions.size(); ++i)
    if (static_cast<std::size_t>(definitions[i].id) != i) return false;
  return true;
}
static_assert(in_order(), "define() indexes the table by metric");

}  // namespace

std::span<const definition> table() noexcept { return definitions; }

const definition& define(metric id) noexcept { return definitions[static_cast<std::size_t>(id)]; }

const definition* find(std::string_view name) noexcept {
  const auto at = std::ranges::find(definitions, name,
                                    [](const definition& d) { return std::string_view(d.name); });
  return at == definitions.end() ? nullptr : &*at;
}

}  // namespace inferbench::metrics

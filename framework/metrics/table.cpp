#include "metrics/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "metrics/context.hpp"
#include "metrics/goodput.hpp"
#include "metrics/outcome.hpp"
#include "metrics/request_times.hpp"

namespace inferbench::metrics {
namespace {

constexpr std::uint32_t ours = 0;
constexpr std::uint32_t theirs = IFB_METRIC_UPSTREAM;
constexpr std::uint32_t whole = IFB_METRIC_INTEGER;

// Each of the following functions returns for one group of figures whether a run has them.
constexpr standing reported_if(bool condition) {
  return condition ? standing::reported : standing::absent;
}
constexpr standing selectable_if(bool condition) {
  return condition ? standing::selectable : standing::absent;
}
standing every(const context&) { return standing::reported; }
standing generation(const context& run) { return reported_if(!run.pooling); }
standing pooling(const context& run) { return reported_if(run.pooling); }
standing exact(const context& run) { return reported_if(!run.bounded); }
standing with_cached_tokens(const context& run) { return reported_if(run.cached_tokens); }
standing with_goodput(const context& run) {
  return reported_if(!run.pooling && !run.goodput.empty());
}
standing every_selectable(const context&) { return standing::selectable; }
/// Without a tokenizer, upstream reports no statistics of tokens, so they cannot be selected.
standing with_tokens(const context& run) {
  return run.tokenizer ? selectable_if(!run.pooling) : reported_if(!run.pooling);
}
standing with_cap(const context& run) { return selectable_if(run.max_concurrency.has_value()); }
standing with_cap_and_rate(const context& run) {
  return selectable_if(run.max_concurrency && std::isfinite(run.request_rate));
}

constexpr definition number_row(metric id, const char* name, const char* unit, const char* title,
                                const char* label, const char* help, std::uint32_t flags,
                                direction better, standing (*in)(const context&), of_run how) {
  return {id, name, unit, title, label, help, flags, in, how, printed::nothing, better};
}

/// A rate over the time of the run: the sum of the amounts of its requests / duration.
constexpr definition rate_row(metric id, const char* name, const char* unit, const char* title,
                              const char* label, const char* help, std::uint32_t flags,
                              standing (*in)(const context&), of_run how, request_amount amount) {
  definition out =
      number_row(id, name, unit, title, label, help, flags, direction::higher, in, how);
  out.amount = amount;
  return out;
}

/// A figure that counts good requests.
constexpr definition with_limits(definition out) {
  out.needs_limits = true;
  return out;
}

/// A goal may limit the share of the sent requests for which `counted` is true.
constexpr definition with_share(definition out,
                                bool (*counted)(const request_times&, const good_request&)) {
  out.counted = counted;
  return out;
}

/// A number of sent requests: the requests for which `counted` is true.
constexpr definition count_row(metric id, const char* name, const char* title, const char* label,
                               const char* help, direction better, of_run how,
                               bool (*counted)(const request_times&, const good_request&)) {
  return with_share(
      number_row(id, name, "1", title, label, help, theirs | whole, better, every, how), counted);
}

constexpr definition context_row(metric id, const char* name, const char* unit, const char* title,
                                 const char* label, const char* help, std::uint32_t flags,
                                 direction better) {
  return {id, name, unit, title, label, help, flags, every, of_context{}, printed::nothing, better};
}

/// A time, which is better if it is lower.
constexpr definition gaps_row(metric id, const char* name, const char* unit, const char* title,
                              const char* label, const char* help, std::uint32_t flags,
                              standing (*in)(const context&)) {
  return {id,
          name,
          unit,
          title,
          label,
          help,
          flags | IFB_METRIC_SUMMARY,
          in,
          of_gaps{},
          printed::median_and_p99,
          direction::lower};
}

/// A time, which is better if it is lower.
constexpr definition summary_row(metric id, const char* name, const char* unit, const char* title,
                                 const char* label, const char* help, std::uint32_t flags,
                                 standing (*in)(const context&), of_request how,
                                 printed shown = printed::median_and_p99) {
  return {id, name, unit,  title,           label, help, flags | IFB_METRIC_SUMMARY,
          in, how,  shown, direction::lower};
}

/// A summary of the client's own delays.
constexpr definition delay_row(metric id, const char* name, const char* unit, const char* title,
                               const char* label, const char* help, std::uint32_t flags,
                               standing (*in)(const context&), of_request how) {
  definition out = summary_row(id, name, unit, title, label, help, flags, in, how);
  out.own_delay = true;
  return out;
}

// Two rows use these values: a row of this program, which every run has, and upstream's row with
// another name, which only some runs have.
std::optional<latency> from_due_to_last(const request_times& r) {
  return r.from_due(arrival::last);
}

// The table, in parts. The first part: single numbers that upstream also reports.
constexpr std::array counts = {
    number_row(metric::duration, "duration", "s", "Benchmark Duration", "Duration",
               "Time from just before the first request until the last one has ended.", theirs,
               direction::lower, every, [](const outcome& o) { return o.duration_s; }),
    count_row(
        metric::completed, "completed", "Successful Requests", "Completed",
        "Requests that succeeded.", direction::higher,
        [](const outcome& o) { return number(o.accounts.ok()); },
        [](const request_times& r, const good_request&) { return r.ok; }),
    count_row(
        metric::failed, "failed", "Failed Requests", "Failed",
        "Requests that were sent and did not succeed.", direction::lower,
        [](const outcome& o) { return number(o.accounts.sent() - o.accounts.ok()); },
        [](const request_times& r, const good_request&) { return !r.ok; }),
    number_row(metric::total_input_tokens, "total_input_tokens", "token", "Total Input Tokens",
               "Input tokens", "Sum of prompt tokens, by the server's count where it gave one.",
               theirs | whole, direction::neither, every,
               [](const outcome& o) { return number(o.sums.input); }),
    number_row(metric::total_output_tokens, "total_output_tokens", "token",
               "Total Generated Tokens", "Output tokens",
               "Sum of output tokens: the server's count unless zero, else those of the text.",
               theirs | whole, direction::neither, generation,
               [](const outcome& o) { return number(o.sums.output); }),
    number_row(metric::total_input_sequences, "total_input_sequences", "1", "Total Input Sequences",
               "Input sequences",
               "Sum of inputs in pooling requests: texts, token lists or documents.",
               theirs | whole, direction::neither, pooling,
               [](const outcome& o) { return number(o.sums.inputs); }),
};

bool is_good(const request_times& r, const good_request& limits) { return r.ok && limits.meets(r); }
double good_or_not(const client::record&, const request_times& r, const good_request& limits) {
  return is_good(r, limits) ? 1 : 0;
}

constexpr std::array rates = {
    rate_row(
        metric::request_throughput, "request_throughput", "req/s", "Request Throughput", "Requests",
        "completed / duration", theirs, every,
        [](const outcome& o) { return o.per_s(o.accounts.ok()); },
        [](const client::record&, const request_times&, const good_request&) { return 1.0; }),
    rate_row(
        metric::input_sequence_throughput, "input_sequence_throughput", "input/s",
        "Input Throughput", "Inputs", "total_input_sequences / duration", theirs, pooling,
        [](const outcome& o) { return o.per_s(o.sums.inputs); },
        [](const client::record& record, const request_times&, const good_request&) {
          totals one;
          one.add(record);
          return number(one.inputs);
        }),
    with_limits(
        with_share(rate_row(
                       metric::request_goodput, "request_goodput", "req/s", "Request Goodput",
                       "Goodput", "Requests that met every limit of --goodput / duration.", theirs,
                       with_goodput, [](const outcome& o) { return o.per_s(o.good); }, good_or_not),
                   is_good)),
    rate_row(
        metric::output_throughput, "output_throughput", "token/s", "Output Token Throughput",
        "Output tokens", "total_output_tokens / duration", theirs, generation,
        [](const outcome& o) { return o.per_s(o.sums.output); },
        [](const client::record&, const request_times& r, const good_request&) {
          return number(r.output);
        }),
    rate_row(
        metric::total_token_throughput, "total_token_throughput", "token/s",
        "Total Token Throughput", "Tokens", "(total_input_tokens + total_output_tokens) / duration",
        theirs, every, [](const outcome& o) { return o.per_s(o.sums.input + o.sums.output); },
        [](const client::record&, const request_times& r, const good_request&) {
          return number(r.input) + number(r.output);
        }),
    number_row(metric::max_output_tokens_per_s, "max_output_tokens_per_s", "event/s",
               "Peak Output Token Throughput", "Peak output",
               "Most stream events in one second, seconds counted from the first start.", theirs,
               direction::higher, generation, [](const outcome& o) { return o.events_in_second; }),
    number_row(metric::max_concurrent_requests, "max_concurrent_requests", "1",
               "Peak Concurrent Requests", "Peak requests",
               "Most requests that touch one and the same second, counted from the first start; "
               "an upper bound of peak_concurrency for the successful ones.",
               theirs | whole, direction::neither, generation,
               [](const outcome& o) { return number(o.requests_in_second); }),
    number_row(metric::rtfx, "rtfx", "1", "RTFx (Inverse Real-Time Factor)", "RTFx",
               "Sum of input audio durations / duration", theirs, direction::higher, generation,
               [](const outcome& o) { return o.per_s(o.sums.audio_s.value()); }),
    number_row(metric::total_cached_tokens, "total_cached_tokens", "token", "Total Cached Tokens",
               "Cached tokens",
               "Sum of the prompt tokens that the server says it took from its prefix cache.",
               theirs | whole, direction::neither, with_cached_tokens,
               [](const outcome& o) { return number(o.sums.cached); }),
};

// Numbers from other sources than the times of the requests: upstream's probes, the server's
// counters and the scorer.
constexpr std::array measured_beside = {
    context_row(metric::probe_completed, "probe_completed", "1", "Probe Requests Completed",
                "Probes completed", "Probes that succeeded.", theirs | whole, direction::neither),
    context_row(metric::probe_failed, "probe_failed", "1", "Probe Requests Failed", "Probes failed",
                "Probes that did not succeed.", theirs | whole, direction::lower),
    context_row(metric::probe_median_e2el, "probe_median_e2el_ms", "ms", "Median Probe E2EL",
                "Median probe E2EL", "Median latency of the probes that succeeded.", theirs,
                direction::lower),
    context_row(metric::probe_p99_e2el, "probe_p99_e2el_ms", "ms", "P99 Probe E2EL",
                "P99 probe E2EL", "99th percentile of the latency of the probes that succeeded.",
                theirs, direction::lower),
    context_row(metric::probe_max_e2el, "probe_max_e2el_ms", "ms", "Max Probe E2EL",
                "Max probe E2EL", "Longest latency of the probes that succeeded.", theirs,
                direction::lower),
    context_row(metric::spec_decode_acceptance_rate, "spec_decode_acceptance_rate", "%",
                "Speculative Acceptance Rate", "Acceptance rate",
                "100 * accepted / drafted tokens, by the server's counters during the run.", theirs,
                direction::higher),
    context_row(metric::spec_decode_acceptance_length, "spec_decode_acceptance_length", "token",
                "Speculative Acceptance Length", "Acceptance length",
                "1 + accepted tokens / drafts.", theirs, direction::higher),
    context_row(metric::spec_decode_num_drafts, "spec_decode_num_drafts", "1", "Drafts", "Drafts",
                "Drafts during the run, by the server's counter.", theirs | whole,
                direction::neither),
    context_row(metric::spec_decode_draft_tokens, "spec_decode_draft_tokens", "token",
                "Draft Tokens", "Draft tokens", "Tokens drafted during the run.", theirs | whole,
                direction::neither),
    context_row(metric::spec_decode_accepted_tokens, "spec_decode_accepted_tokens", "token",
                "Accepted Tokens", "Accepted tokens",
                "Drafted tokens that were accepted during the run.", theirs | whole,
                direction::neither),
    context_row(metric::diffusion_committed_throughput, "diffusion_committed_throughput", "token/s",
                "Diffusion Committed Throughput", "Committed throughput",
                "Committed tokens / duration, by the server's counters.", theirs,
                direction::higher),
    context_row(metric::diffusion_steps_per_canvas, "diffusion_steps_per_canvas", "1",
                "Denoising Steps per Canvas", "Steps per canvas",
                "Denoising steps without commit steps / canvases.", theirs, direction::neither),
    context_row(metric::diffusion_committed_per_step, "diffusion_committed_per_step", "token",
                "Committed per Denoising Step", "Committed per step",
                "Committed tokens / denoising steps without commit steps.", theirs,
                direction::neither),
    context_row(metric::diffusion_committed_tokens, "diffusion_committed_tokens", "token",
                "Committed Tokens", "Committed tokens", "Tokens committed during the run.",
                theirs | whole, direction::neither),
    context_row(metric::diffusion_denoising_steps, "diffusion_denoising_steps", "1",
                "Denoising Steps", "Denoising steps",
                "Denoising steps during the run, commit steps left out.", theirs | whole,
                direction::neither),
    context_row(metric::diffusion_canvas_positions, "diffusion_canvas_positions", "1",
                "Canvas Positions Evaluated", "Canvas positions",
                "Canvas positions evaluated during the run.", theirs | whole, direction::neither),
    context_row(metric::correct_rate, "correct_rate", "%", "Correct Rate", "Correct rate",
                "100 * mean score of the answers that the scorer has scored.", ours,
                direction::neither),
};

constexpr std::array upstream_summaries = {
    summary_row(metric::ttft, "ttft", "ms", "Time to First Token", "TTFT",
                "First token - start_ns, for each request.", theirs, with_tokens,
                [](const request_times& r) { return r.from_start(arrival::first); }),
    summary_row(metric::tpot, "tpot", "ms", "Time per Output Token (excl. 1st token)", "TPOT",
                "(last token - first token) / (output tokens - 1), for requests of two or more.",
                theirs, with_tokens,
                [](const request_times& r) {
                  return r.output > 1 ? r.part(arrival::first, arrival::last, r.output - 1)
                                      : std::nullopt;
                }),
    gaps_row(metric::itl, "itl", "ms", "Inter-token Latency", "ITL",
             "Time between neighbouring tokens, of all requests together.", theirs, with_tokens),
    summary_row(metric::e2el, "e2el", "ms", "End-to-end Latency", "E2EL",
                "Last token - start_ns; for pooling end_ns - start_ns.", theirs, every_selectable,
                [](const request_times& r) { return r.from_start(arrival::last); }),
    summary_row(metric::client_queue_time, "client_queue_time", "ms", "Client-side Queueing",
                "Client Queue Time", "start_ns - due_ns: the wait for a free slot.", theirs,
                with_cap, [](const request_times& r) { return r.waited(); }),
    summary_row(metric::e2el_including_client_queue, "e2el_including_client_queue", "ms",
                "Queue-inclusive End-to-end Latency", "E2EL incl. Client Queue",
                "e2el + client_queue_time", theirs, with_cap_and_rate, from_due_to_last),
};

constexpr std::array our_summaries = {
    summary_row(metric::ttft_from_due, "ttft_from_due", "ms", "Time to First Token from Due Time",
                "TTFT from due",
                "First text - due_ns, of an answer without text its first token: what a user who "
                "came on time has waited.",
                ours, generation,
                [](const request_times& r) {
                  return r.from_due(r.has(arrival::first_text) ? arrival::first_text
                                                               : arrival::first);
                }),
    summary_row(metric::e2el_from_due, "e2el_from_due", "ms", "End-to-end Latency from Due Time",
                "E2EL from due", "Last token - due_ns; for pooling end_ns - due_ns.", ours, every,
                from_due_to_last),
    summary_row(
        metric::ttft_text, "ttft_text", "ms", "Time to First Text", "First text",
        "first_text_ns - start_ns, for requests with text: empty first events do not count.", ours,
        generation, [](const request_times& r) { return r.from_start(arrival::first_text); }),
    summary_row(
        metric::ttft_answer, "ttft_answer", "ms", "Time to First Answer Text", "First answer text",
        "first_answer_ns - start_ns, for requests with an answer: neither empty first events "
        "nor reasoning count.",
        ours, generation,
        [](const request_times& r) { return r.from_start(arrival::first_answer); },
        printed::nothing),
    delay_row(metric::send_lag, "send_lag", "ms", "Send Lag", "Send lag",
              "sent_ns - due_ns of every request whose first byte left, successful or not.", ours,
              every, [](const request_times& r) { return r.sent_after_due(); }),
};

constexpr std::array our_numbers = {
    number_row(metric::peak_concurrency, "peak_concurrency", "1", "Exact Peak Concurrency",
               "Peak concurrency",
               "Most requests between start_ns and end_ns at one instant, failed ones included; "
               "a request that ends when another starts has made room for it.",
               ours | whole, direction::neither, exact,
               [](const outcome& o) { return o.most ? number(o.most->count) : 0; }),
    number_row(metric::events_per_token, "events_per_token", "1", "Stream Events per Token",
               "Events per token",
               "Stream events / output tokens: below 1 the server packs tokens together.", ours,
               direction::neither, generation,
               [](const outcome& o) {
                 return o.sums.output == 0 ? 0 : number(o.sums.events) / number(o.sums.output);
               }),
    number_row(metric::peak_output_tokens_per_s, "peak_output_tokens_per_s", "token/s",
               "Peak Output Tokens per Second", "Peak output tokens",
               "Most output tokens in one second, seconds counted from the first start; the "
               "tokens of a request are shared out evenly among its stream events.",
               ours, direction::higher, generation,
               [](const outcome& o) { return o.tokens_in_second; }),
};

template <typename... parts>
constexpr auto joined(const parts&... part) {
  std::array<definition, (std::size_t{} + ... + std::tuple_size_v<parts>)> out{};
  auto to = out.begin();
  ((to = std::ranges::copy(part, to).out), ...);
  return out;
}
constexpr auto all =
    joined(counts, rates, measured_beside, upstream_summaries, our_summaries, our_numbers);

constexpr bool in_order() {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (static_cast<std::size_t>(all[i].id) != i) return false;
  return true;
}
static_assert(all.size() == static_cast<std::size_t>(metric::count) && in_order(),
              "every metric has its row, and define() finds it by its number");

}  // namespace

definitions table() noexcept { return all; }

const definition& define(metric id) noexcept { return all[static_cast<std::size_t>(id)]; }

const definition* find(std::string_view name) noexcept {
  const auto at =
      std::ranges::find(all, name, [](const definition& d) { return std::string_view(d.name); });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace inferbench::metrics

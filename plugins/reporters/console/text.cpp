#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "letter_plot.hpp"

namespace reporters {
namespace {

constexpr std::size_t width = 50;
constexpr std::size_t value_width = 10;

std::string title(std::string_view text, char fill) { return centered(text, fill, width); }

/// Upstream also pads the value, so the line ends with blanks.
std::string line(std::string_view label, std::string_view value) {
  return padded(label, label_width) + ' ' + padded(value, value_width) + '\n';
}

std::string line(std::string_view label, double value) { return line(label, decimals(value, 2)); }

std::string whole(std::string_view label, double value) {
  return line(label, std::to_string(std::llround(value)));
}

std::string line(std::string_view label, const ifb_metric& m) {
  return has(m, IFB_METRIC_INTEGER) ? whole(label, m.value) : line(label, m.value);
}

/// Returns a heading, followed by the figures that the run has.
using labels = std::initializer_list<std::pair<const char*, const char*>>;
std::string block(std::string_view heading, const figures& found, labels lines) {
  std::string out = title(heading, '-');
  for (const auto& [label, name] : lines)
    if (const ifb_metric* m = found.find(name)) out += line(label, *m);
  return out;
}

std::string probes(const figures& found) {
  if (found.value("probe_completed") < 1) return {};
  return block("Probe Requests", found,
               {{"Probe requests completed:", "probe_completed"},
                {"Probe requests failed:", "probe_failed"},
                {"Median probe E2EL (ms):", "probe_median_e2el_ms"},
                {"P99 probe E2EL (ms):", "probe_p99_e2el_ms"},
                {"Max probe E2EL (ms):", "probe_max_e2el_ms"}});
}

std::string diffusion(const figures& found) {
  return block("Diffusion Decoding", found,
               {{"Committed throughput (tok/s):", "diffusion_committed_throughput"},
                {"Denoising steps per canvas:", "diffusion_steps_per_canvas"},
                {"Committed per denoising step:", "diffusion_committed_per_step"},
                {"Committed tokens:", "diffusion_committed_tokens"},
                {"Denoising steps:", "diffusion_denoising_steps"},
                {"Canvas positions evaluated:", "diffusion_canvas_positions"}});
}

std::string speculation(const figures& found, const json_value& facts) {
  std::string out = block("Speculative Decoding", found,
                          {{"Acceptance rate (%):", "spec_decode_acceptance_rate"},
                           {"Acceptance length:", "spec_decode_acceptance_length"},
                           {"Drafts:", "spec_decode_num_drafts"},
                           {"Draft tokens:", "spec_decode_draft_tokens"},
                           {"Accepted tokens:", "spec_decode_accepted_tokens"}});
  const json_value* rates = position_rates(facts);
  if (rates == nullptr || rates->Empty()) return out;
  out += "Per-position acceptance (%):\n";
  std::size_t k = 0;
  for (const json_value& rate : rates->GetArray())
    out += line("  Position " + std::to_string(k++) + ":",
                rate.IsNumber() ? 100 * rate.GetDouble() : 0.0);
  return out;
}

std::string section(const ifb_metric& m) {
  std::string out = title(m.title, '-');
  const std::string label = m.label;
  out += line("Mean " + label + " (ms):", m.value);
  out += line("Median " + label + " (ms):", m.median);
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    out += line("P" + percentile_name(each.q) + " " + label + " (ms):", each.value);
  return out;
}

}  // namespace

void first_errors::add(std::uint64_t sequence, std::string_view error) {
  if (kept_.size() == limit && sequence >= std::prev(kept_.end())->first) return;
  kept_.emplace(sequence, one_line(error));
  if (kept_.size() > limit) kept_.erase(std::prev(kept_.end()));
}

std::string error_lines(const first_errors& errors, const ifb::run_description& run) {
  if (run.pooling || errors.all().empty()) return {};
  std::string out = "Failed requests during benchmark run detected (capping to 10):\n";
  std::size_t k = 0;
  for (const auto& [sequence, error] : errors.all())
    out += "Error " + std::to_string(k++) + ": " + error + '\n';
  return out;
}

std::string second_plots(const json_value& facts, double duration_s) {
  constexpr double most_seconds = 1e6;  // ten days
  const json_value* const of = find(facts, "per_second");
  const json_value* const step = find(of, "step_s");
  if (step == nullptr || !step->IsUint64() || step->GetUint64() == 0) return {};
  std::string out;
  for (const auto& [key, heading] : {std::pair{"output_events", "Output tokens per second"},
                                     {"requests", "Concurrent requests per second"}}) {
    const json_value* const list = find(of, key);
    if (list == nullptr || !list->IsArray()) continue;
    std::vector<double> values;
    for (const json_value& each : list->GetArray())
      values.push_back(each.IsNumber() ? each.GetDouble() : 0.0);
    // Seconds after the last success, in which all requests failed, belong to the run, too.
    const double seconds = std::clamp(duration_s, 0.0, most_seconds);
    const auto whole_run = static_cast<std::size_t>(std::ceil(seconds / step->GetDouble()));
    values.resize(std::max(values.size(), whole_run));
    const std::string plot = letter_plot(heading, values, step->GetDouble());
    if (!plot.empty()) out += plot + '\n';
  }
  return out;
}

std::string upstream_report(const ifb::run_description& run, const figures& found,
                            const json_value& facts) {
  const bool generation = !run.pooling;
  const bool tokenizer = run.tokenizer_id.has_value();
  const auto value = [&](std::string_view name) { return found.value(name); };

  std::string out = title(" Serving Benchmark Result ", '=');
  out += whole("Successful requests:", value("completed"));
  out += whole("Failed requests:", value("failed"));
  if (run.max_concurrency)
    out += line("Maximum request concurrency:", std::to_string(*run.max_concurrency));
  if (std::isfinite(run.request_rate))
    out += line("Request rate configured (RPS):", run.request_rate);
  if (!run.traffic.empty()) out += line("Traffic pattern:", run.traffic);
  out += line("Benchmark duration (s):", value("duration"));
  out += whole("Total input tokens:", value("total_input_tokens"));
  if (const ifb_metric* cached = found.find("total_cached_tokens"))
    out += whole("Total cached tokens:", cached->value);
  if (generation && tokenizer)
    out += whole("Total generated tokens:", value("total_output_tokens"));
  out += line("Request throughput (req/s):", value("request_throughput"));
  if (run.pooling) out += line("Input throughput (inputs/s):", value("input_sequence_throughput"));
  if (const ifb_metric* goodput = found.find("request_goodput"); generation && goodput != nullptr)
    out += line("Request goodput (req/s):", goodput->value);
  if (generation && tokenizer) {
    out += line("Output token throughput (tok/s):", value("output_throughput"));
    out += line("Peak output token throughput (tok/s):", value("max_output_tokens_per_s"));
  }
  if (generation) out += line("Peak concurrent requests:", value("max_concurrent_requests"));
  if (const double rtfx = value("rtfx"); generation && rtfx > 0)
    out += line("RTFx (Inverse Real-Time Factor):", rtfx);
  if (tokenizer) out += line("Total token throughput (tok/s):", value("total_token_throughput"));
  out += probes(found);
  for (const ifb_metric& m : found.all())
    if (selected(m)) out += section(m);
  if (found.find("diffusion_committed_throughput") != nullptr)
    out += diffusion(found);
  else if (found.find("spec_decode_acceptance_rate") != nullptr)
    out += speculation(found, facts);
  return out + std::string(width, '=') + '\n';
}

}  // namespace reporters

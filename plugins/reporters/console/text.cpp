#include "text.hpp"

#include <cmath>
#include <iterator>

#include "layout.hpp"

namespace reporters {
namespace {

constexpr std::size_t width = 50;
constexpr std::size_t value_width = 10;

std::string title(std::string_view text, char fill) {
  const std::size_t space = width - text.size();
  std::string out(space / 2, fill);
  out += text;
  out.append(space - space / 2, fill);
  return out + '\n';
}

/// Upstream pads the value too: the blanks at the end belong to the line.
std::string line(std::string_view label, std::string_view value) {
  return padded(label, label_width) + ' ' + padded(value, value_width) + '\n';
}

std::string line(std::string_view label, double value) { return line(label, decimals(value, 2)); }

std::string whole(std::string_view label, double value) {
  return line(label, std::to_string(std::llround(value)));
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

std::string error_lines(const first_errors& errors, const resolved& run) {
  if (run.pooling || errors.all().empty()) return {};
  std::string out = "Failed requests during benchmark run detected (capping to 10):\n";
  std::size_t k = 0;
  for (const auto& [sequence, error] : errors.all())
    out += "Error " + std::to_string(k++) + ": " + error + '\n';
  return out;
}

std::string upstream_report(const resolved& run, const figures& found) {
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
  out += line("Benchmark duration (s):", value("duration"));
  out += whole("Total input tokens:", value("total_input_tokens"));
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
  for (const ifb_metric& m : found.all())
    if (selected(m)) out += section(m);
  return out + std::string(width, '=') + '\n';
}

}  // namespace reporters

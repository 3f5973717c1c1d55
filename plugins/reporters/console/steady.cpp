// The block about the steady state.
#include "layout.hpp"
#include "text.hpp"

namespace reporters {
namespace {

constexpr std::size_t steady_width = 47;
constexpr std::size_t steady_label_width = 35;

std::string rule(char fill) { return std::string(steady_width, fill) + '\n'; }

std::string steady_line(std::string_view label, std::string_view text) {
  return padded(label, steady_label_width) + ' ' +
         padded(text, steady_width - steady_label_width - 1) + '\n';
}

double number(const json_value* of) {
  return of != nullptr && of->IsNumber() ? of->GetDouble() : 0;
}

std::string whole(const json_value* of) {
  return of != nullptr && of->IsUint64() ? std::to_string(of->GetUint64()) : "0";
}

/// Returns the line of a time such as "mean_ttft_ms", with a label such as "Mean TTFT (ms):"; empty
/// if the fact does not contain the time.
std::string times(const json_value& from, std::string_view label, const char* name) {
  const json_value* value = find(from, name);
  return value == nullptr ? std::string() : steady_line(label, decimals(number(value), 2));
}

std::string ttft_percentiles(const json_value& from) {
  const json_value* all = find(from, "percentiles_ttft_ms");
  std::string out;
  if (all == nullptr || !all->IsArray()) return out;
  for (const json_value& each : all->GetArray())
    if (each.IsArray() && each.Size() == 2)
      out += steady_line("P" + percentile_name(number(&each[0]) / 100) + " TTFT (ms):",
                         decimals(number(&each[1]), 2));
  return out;
}

}  // namespace

std::string steady_report(const json_value& facts) {
  const json_value* of = find(facts, "steady_state");
  const json_value* window = find(of, "window");
  if (window == nullptr) return {};
  const auto in_window = [&](const char* name) { return find(window, name); };
  const auto rate = [&](std::string_view label, const char* name) {
    return steady_line(label, decimals(number(find(of, name)), 2));
  };
  std::string out = centered(" Steady-State Metrics ", '=', steady_width);
  out += steady_line("Concurrency threshold:", whole(in_window("threshold_abs")));
  out += steady_line("Window (s):", decimals(number(in_window("start_s")), 2) + " to " +
                                        decimals(number(in_window("end_s")), 2));
  out += steady_line("Observed peak concurrency:", whole(in_window("observed_peak")));
  out += steady_line("Requests started in window:", whole(in_window("requests_started_in_window")));
  out += steady_line("Requests completed in window:",
                     whole(in_window("requests_completed_in_window")));
  out += rule('-');
  out += rate("Request throughput (req/s):", "request_throughput");
  out += rate("Output token throughput (tok/s):", "output_throughput");
  out += rate("Input token throughput (tok/s):", "input_throughput");
  out += rate("Total token throughput (tok/s):", "total_token_throughput");
  if (find(of, "mean_ttft_ms") != nullptr) {
    out += rule('-');
    out += times(*of, "Mean TTFT (ms):", "mean_ttft_ms");
    out += times(*of, "Median TTFT (ms):", "median_ttft_ms");
    out += ttft_percentiles(*of);
    out += rule('-');
    out += times(*of, "Mean TPOT (ms):", "mean_tpot_ms");
    out += times(*of, "Median TPOT (ms):", "median_tpot_ms");
    out += times(*of, "P90 TPOT (ms):", "p90_tpot_ms");
    out += times(*of, "P99 TPOT (ms):", "p99_tpot_ms");
  }
  out += rule('=');
  if (const std::string_view warning = text_of(in_window("warning")); !warning.empty())
    out += "Steady state: " + one_line(warning) + '\n';
  return out;
}

}  // namespace reporters

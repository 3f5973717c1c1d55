#include "text.hpp"

#include <cmath>
#include <iterator>

#include <rapidjson/document.h>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace reporters {
namespace {

constexpr std::size_t width = 50;
constexpr std::size_t label_width = 40;
constexpr std::size_t value_width = 10;
constexpr std::size_t error_width = 1000;

std::string title(std::string_view text, char fill) {
  const std::size_t space = width - text.size();
  std::string out(space / 2, fill);
  out += text;
  out.append(space - space / 2, fill);
  return out + '\n';
}

std::string padded(std::string_view text, std::size_t to) {
  std::string out(text);
  if (out.size() < to) out.append(to - out.size(), ' ');
  return out;
}

/// Upstream pads the value too: the blanks at the end belong to the line.
std::string line(std::string_view label, std::string_view value) {
  return padded(label, label_width) + ' ' + padded(value, value_width) + '\n';
}

std::string two_decimals(double value) {
  char text[400];  // the largest double has 309 digits before the point
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string line(std::string_view label, double value) { return line(label, two_decimals(value)); }

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

/// One line of the terminal whatever the server wrote: control characters, which
/// could also move the cursor, become blanks, and bad UTF-8 U+FFFD.
std::string one_line(std::string_view text) {
  std::string out;
  const std::string_view shown = ifb::cut_utf8(text, error_width);
  for (std::size_t i = 0; i < shown.size();) {
    const auto [length, good] = ifb::utf8_sequence(shown.substr(i));
    const std::string_view one = shown.substr(i, length);
    const auto last = static_cast<unsigned char>(one.back());
    const bool control =
        length == 1 ? last < 0x20 || last == 0x7F : length == 2 && one[0] == '\xC2' && last < 0xA0;
    out += !good ? "\xEF\xBF\xBD" : control ? " " : one;
    i += length;
  }
  if (shown.size() < text.size()) out += "...";
  return out;
}

std::string ours(std::string_view label, std::string_view value) {
  return padded(label, label_width) + ' ' + std::string(value) + '\n';
}

std::string text_of(const rapidjson::Value& object, const char* key) {
  const auto at = object.FindMember(key);
  if (at == object.MemberEnd()) return {};
  if (at->value.IsString()) return {at->value.GetString(), at->value.GetStringLength()};
  if (at->value.IsUint64()) return std::to_string(at->value.GetUint64());
  return {};
}

/// "12.50 / 40.00"
std::string median_and_p99(const ifb_metric& m) {
  const auto p99 = percentile(m, 99);
  return two_decimals(m.median) + " / " + (p99 ? two_decimals(*p99) : "-");
}

std::string accounting(const rapidjson::Value& facts) {
  const auto at = facts.FindMember("accounting");
  if (at == facts.MemberEnd() || !at->value.IsObject()) return {};
  const auto number = [&](const char* key) { return text_of(at->value, key); };
  return ours("Planned = sent + never sent:",
              number("planned") + " = " + number("sent") + " + " + number("never_sent")) +
         ours("Sent = ok + failed + cancelled:", number("sent") + " = " + number("ok") + " + " +
                                                     number("failed") + " + " +
                                                     number("cancelled"));
}

std::string failures(const rapidjson::Value& facts) {
  const auto at = facts.FindMember("errors");
  if (at == facts.MemberEnd() || !at->value.IsArray()) return {};
  std::string out;
  for (const auto& each : at->value.GetArray()) {
    if (!each.IsObject()) continue;
    std::string kind = "Failed, " + text_of(each, "class");
    if (const std::string status = text_of(each, "http_status"); !status.empty() && status != "0")
      kind += ", HTTP " + status;
    out += ours(kind + ":", text_of(each, "count") + " x " + one_line(text_of(each, "first")));
  }
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

std::string our_report(const figures& found, const ifb_summary& summary) {
  rapidjson::Document facts;
  const std::string_view json = ifb::view(summary.facts_json);
  facts.Parse(json.data(), json.size());
  const bool readable = !facts.HasParseError() && facts.IsObject();

  std::string out;
  if ((summary.flags & IFB_SUMMARY_INTERRUPTED) != 0)
    out += "The run was stopped before its end; the figures are of what was done by then.\n";
  if (readable) out += accounting(facts);
  if (const ifb_metric* m = found.find("ttft_from_due"); m != nullptr && m->count > 0)
    out += ours("TTFT from due time, P50 / P99 (ms):", median_and_p99(*m));
  if (const ifb_metric* m = found.find("e2el_from_due"); m != nullptr && m->count > 0)
    out += ours("E2EL from due time, P50 / P99 (ms):", median_and_p99(*m));
  if (const ifb_metric* m = found.find("peak_concurrency"))
    out += ours("Peak concurrency, exact:", std::to_string(std::llround(m->value)));
  if (const ifb_metric* m = found.find("send_lag"))
    out += ours("Sent after due, P50 / P99 (ms):", median_and_p99(*m));
  if (readable) out += failures(facts);
  return out;
}

}  // namespace reporters

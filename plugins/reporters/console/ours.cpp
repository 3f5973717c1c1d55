// What follows upstream's report.
#include <algorithm>
#include <cmath>
#include <utility>

#include "layout.hpp"
#include "text.hpp"

namespace reporters {
namespace {

using value = json_value;

std::string line(std::string_view label, std::string_view text) {
  return padded(label, label_width) + ' ' + std::string(text) + '\n';
}

/// As it is printed: a text, or a count.
std::string shown(const value* of) {
  if (of != nullptr && of->IsUint64()) return std::to_string(of->GetUint64());
  return std::string(text_of(of));
}

/// "12.50 / 40.00"
std::string median_and_p99(const ifb_metric& m) {
  const auto p99 = percentile(m, 99);
  return decimals(m.median, 2) + " / " + (p99 ? decimals(*p99, 2) : "-");
}

std::string accounting(const value& facts) {
  const value* of = member(&facts, "accounting");
  if (of == nullptr || !of->IsObject()) return {};
  const auto number = [&](const char* key) { return shown(member(of, key)); };
  // Of a run that broke off nobody knows what became of the rest.
  const bool whole = member(of, "not_recorded") == nullptr;
  const char* const rest = whole ? "never_sent" : "not_recorded";
  return line(whole ? "Planned = sent + never sent:" : "Planned = sent + not recorded:",
              number("planned") + " = " + number("sent") + " + " + number(rest)) +
         line("Sent = ok + failed + cancelled:", number("sent") + " = " + number("ok") + " + " +
                                                     number("failed") + " + " +
                                                     number("cancelled"));
}

/// What was held against a limit, by its name.
const value* judged(const value* client, std::string_view name) {
  const value* limits = member(client, "limits");
  if (limits == nullptr || !limits->IsArray()) return nullptr;
  for (const auto& each : limits->GetArray())
    if (text_of(member(&each, "name")) == name) {
      const value* figure = member(&each, "figure");
      return figure != nullptr && figure->IsNumber() ? figure : nullptr;
    }
  return nullptr;
}

std::string client_figures(const value* client) {
  std::string out;
  if (const value* lag = judged(client, "loop_lag_p99_ms"))
    out += line("Client's loop lag, P99 (ms):", decimals(lag->GetDouble(), 3));
  // A run of less than a second has no busiest one.
  const value* whole = judged(client, "cpu");
  const value* second = judged(client, "cpu_busiest_second");
  if (whole != nullptr || second != nullptr) {
    const double used = std::max(whole == nullptr ? 0.0 : whole->GetDouble(),
                                 second == nullptr ? 0.0 : second->GetDouble());
    out += line("Busiest client thread (% of a core):", decimals(used * 100, 1));
  }
  return out;
}

/// "VALID", or the verdict with a line for each reason.
std::string verdict(const value* client) {
  const std::string level = shown(member(client, "verdict"));
  if (level.empty()) return {};
  std::string out = line("Client:", one_line(level));
  const value* reasons = member(client, "reasons");
  if (reasons == nullptr || !reasons->IsArray()) return out;
  for (const auto& reason : reasons->GetArray())
    out += "  " + one_line(shown(&reason)) + '\n';
  return out;
}

/// What the client adds to times that are known: the error bars of this machine.
std::string calibration(const value& facts) {
  const value* of = member(&facts, "calibration");
  std::string out;
  for (const auto& [key, label] :
       {std::pair{"ttft_error_ms", "TTFT"}, {"itl_error_ms", "ITL"}, {"e2el_error_ms", "E2EL"}}) {
    const value* error = member(of, key);
    if (error == nullptr) continue;
    std::string text;
    for (const char* part : {"mean", "p50", "p99"}) {
      const value* figure = member(error, part);
      if (!text.empty()) text += " / ";
      text += figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 3) : "-";
    }
    out += line(std::string(label) + " error, mean / P50 / P99 (ms):", text);
  }
  if (!out.empty())
    if (const std::string streams = shown(member(of, "streams")); !streams.empty())
      out = line("Calibrated with streams:", streams) + out;
  return out;
}

std::string failures(const value& facts) {
  const value* of = member(&facts, "errors");
  if (of == nullptr || !of->IsArray()) return {};
  std::string out;
  for (const auto& each : of->GetArray()) {
    if (!each.IsObject()) continue;
    std::string kind = "Failed, " + shown(member(&each, "class"));
    if (const std::string status = shown(member(&each, "http_status"));
        !status.empty() && status != "0")
      kind += ", HTTP " + status;
    out += line(kind + ":",
                shown(member(&each, "count")) + " x " + one_line(shown(member(&each, "first"))));
  }
  return out;
}

std::string latencies(const figures& found) {
  std::string out;
  if (const ifb_metric* m = found.find("ttft_from_due"); m != nullptr && m->count > 0)
    out += line("TTFT from due time, P50 / P99 (ms):", median_and_p99(*m));
  if (const ifb_metric* m = found.find("e2el_from_due"); m != nullptr && m->count > 0)
    out += line("E2EL from due time, P50 / P99 (ms):", median_and_p99(*m));
  if (const ifb_metric* m = found.find("peak_concurrency"))
    out += line("Peak concurrency, exact:", std::to_string(std::llround(m->value)));
  if (const ifb_metric* m = found.find("send_lag"))
    out += line("Sent after due, P50 / P99 (ms):", median_and_p99(*m));
  return out;
}

/// "12.50 / 40.00" of {"median": 12.5, "p99": 40, ...}
std::string median_and_p99(const value* times) {
  std::string out;
  for (const char* name : {"median", "p99"}) {
    const value* figure = member(times, name);
    if (!out.empty()) out += " / ";
    out += figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 2) : "-";
  }
  return out;
}

/// How the requests of conversations fared, a line for each turn.
std::string turns(const value& facts) {
  const value* all = member(&facts, "turns");
  if (all == nullptr || !all->IsArray()) return {};
  constexpr std::size_t narrow = 7;
  constexpr std::size_t wide = 10;
  constexpr std::size_t widest = 22;
  const auto row = [](std::string_view turn, std::string_view ok, std::string_view failed,
                      std::string_view input, std::string_view cached, std::string_view output,
                      std::string_view ttft, std::string_view e2el) {
    return padded(turn, narrow) + padded(ok, narrow) + padded(failed, narrow) +
           padded(input, wide) + padded(cached, wide) + padded(output, wide) +
           padded(ttft, widest) + std::string(e2el) + '\n';
  };
  std::string out = row("Turn", "ok", "failed", "input tok", "cached", "output",
                        "TTFT P50 / P99 (ms)", "E2EL P50 / P99 (ms)");
  for (const auto& each : all->GetArray()) {
    const auto mean = [&](const char* name) {
      const value* figure = member(&each, name);
      return figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 1)
                                                     : std::string("-");
    };
    out += row(shown(member(&each, "turn")) + (member(&each, "and_later") != nullptr ? "+" : ""),
               shown(member(&each, "ok")), shown(member(&each, "failed")),
               mean("mean_input_tokens"), mean("mean_cached_tokens"), mean("mean_output_tokens"),
               median_and_p99(member(&each, "ttft_ms")), median_and_p99(member(&each, "e2el_ms")));
  }
  return out;
}

std::string conversations(const value& facts) {
  const value* of = member(&facts, "conversations");
  if (of == nullptr || !of->IsObject()) return {};
  const auto number = [&](const char* key) { return shown(member(of, key)); };
  return line("Conversations, finished / ended early:",
              number("finished") + " / " + number("ended_early")) +
         line("Most under way at once:", number("most_active"));
}

/// "2.10 us"
std::string duration(double ns) {
  if (ns < 1e3) return decimals(ns, 0) + " ns";
  return ns < 1e6 ? decimals(ns / 1e3, 2) + " us" : decimals(ns / 1e6, 2) + " ms";
}

/// What each plugin takes of the client's time, a line for each.
std::string plugin_costs(const value& facts) {
  const value* all = member(&facts, "plugin_cost");
  if (all == nullptr || !all->IsArray()) return {};
  std::string out;
  for (const auto& each : all->GetArray()) {
    std::string text;
    for (const auto& [key, unit] : {std::pair{"ns_per_request", "request"},
                                    {"ns_per_event", "event"},
                                    {"ns_per_row", "row"},
                                    {"ns_per_record", "record"},
                                    {"ns_per_kb", "KB of text"}})
      if (const value* ns = member(&each, key); ns != nullptr && ns->IsNumber())
        text += (text.empty() ? "" : ", ") + duration(ns->GetDouble()) + " per " + unit;
    if (!text.empty())
      out +=
          line("Cost of " +
                   one_line(shown(member(&each, "kind")) + " " + shown(member(&each, "id"))) + ":",
               text);
  }
  return out;
}

}  // namespace

std::string our_report(const figures& found, const ifb_summary& summary, const json_value& facts) {
  std::string out;
  if ((summary.flags & IFB_SUMMARY_INTERRUPTED) != 0)
    out += "The run was stopped before its end; the figures are of what was done by then.\n";
  if (const std::string reason = shown(member(&facts, "steady_state_missing")); !reason.empty())
    out += line("Steady state:", "none: " + one_line(reason));
  const value* client = member(&facts, "client");
  return out + accounting(facts) + latencies(found) + conversations(facts) + turns(facts) +
         client_figures(client) + plugin_costs(facts) + calibration(facts) + failures(facts) +
         verdict(client);
}

}  // namespace reporters

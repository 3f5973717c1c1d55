// The part of the report after upstream's part.
#include <cmath>
#include <utility>

#include "client.hpp"
#include "goals.hpp"
#include "layout.hpp"
#include "observed.hpp"
#include "reporters/common/facts.hpp"
#include "score_lines.hpp"
#include "text.hpp"

namespace reporters {
namespace {

using value = json_value;

/// The mark of a percentile that the sample does not bound.
constexpr std::string_view unbounded = "~";

/// Returns a text such as "12.50 / 40.00", or "12.50 / ~40.00" if the sample does not bound the
/// P99.
std::string median_and_p99(const ifb_metric& m, const value& facts) {
  const auto p99 = percentile(m, 99);
  std::string out = decimals(m.median, 2) + " / ";
  if (!p99) return out + "-";
  const certainty_of_percentile certainty = certainty_of(facts, m.name, 99);
  if (certainty.known && !certainty.bound) out += unbounded;
  return out + decimals(*p99, 2);
}

/// Returns a line if the number is not zero, otherwise an empty text.
std::string counted(const value* of, const char* key, std::string_view label) {
  const std::string number = shown(find(of, key));
  return number.empty() || number == "0" ? std::string() : our_line(label, number);
}

std::string accounting(const value& facts) {
  const value* of = find(facts, "accounting");
  if (of == nullptr || !of->IsObject()) return {};
  const auto number = [&](const char* key) { return shown(find(of, key)); };
  // If the run was interrupted, the outcome of the other requests is not known.
  const bool whole = find(of, "not_recorded") == nullptr;
  const char* const rest = whole ? "never_sent" : "not_recorded";
  return our_line(whole ? "Planned = sent + never sent:" : "Planned = sent + not recorded:",
                  number("planned") + " = " + number("sent") + " + " + number(rest)) +
         our_line("Sent = ok + failed + cancelled:", number("sent") + " = " + number("ok") + " + " +
                                                         number("failed") + " + " +
                                                         number("cancelled")) +
         counted(of, "sent_again", "Sent again, unseen by the server:") +
         counted(of, "without_end_mark", "Answers without an end mark:") +
         counted(of, "shorter_than_promised", "Answers shorter than promised:");
}

/// Returns the client's errors on known times, which show the accuracy of this machine.
std::string calibration(const value& facts) {
  const value* of = find(facts, "calibration");
  std::string out;
  for (const auto& [key, label] :
       {std::pair{"ttft_error_ms", "TTFT"}, {"itl_error_ms", "ITL"}, {"e2el_error_ms", "E2EL"}}) {
    const value* error = find(of, key);
    if (error == nullptr) continue;
    std::string text;
    for (const char* part : {"mean", "p50", "p99"}) {
      const value* figure = find(error, part);
      if (!text.empty()) text += " / ";
      text += figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 3) : "-";
    }
    out += our_line(std::string(label) + " error, mean / P50 / P99 (ms):", text);
  }
  if (!out.empty())
    if (const std::string streams = shown(find(of, "streams")); !streams.empty())
      out = our_line("Calibrated with streams:", streams) + out;
  return out;
}

std::string failures(const value& facts) {
  const value* of = find(facts, "errors");
  if (of == nullptr || !of->IsArray()) return {};
  constexpr std::size_t most = 10;
  std::string out;
  std::size_t told = 0;
  std::uint64_t rest = 0;
  for (const auto& each : of->GetArray()) {
    if (!each.IsObject()) continue;
    if (told++ >= most) {
      const value* count = find(each, "count");
      rest += count != nullptr && count->IsUint64() ? count->GetUint64() : 0;
      continue;
    }
    const value* differ = find(each, "others_differ");
    std::string kind = "Failed, " + shown(find(each, "class"));
    if (const std::string status = shown(find(each, "http_status"));
        !status.empty() && status != "0")
      kind += ", HTTP " + status;
    out += our_line(
        kind + ":",
        shown(find(each, "count")) + " x " + one_line(shown(find(each, "first"))) +
            (differ != nullptr && differ->IsTrue() ? " (the first; the others differ)" : ""));
  }
  if (told > most)
    out += our_line("Failed, of " + std::to_string(told - most) + " further kinds:",
                    std::to_string(rest));
  return out;
}

/// Returns the latencies that upstream's part leaves out: latencies that were not selected, and
/// some latencies of a run without a tokenizer.
std::string left_out(const figures& found, const value& facts) {
  std::string out;
  for (const ifb_metric& m : found.all())
    if (has(m, std::uint32_t{IFB_METRIC_SUMMARY} | IFB_METRIC_UPSTREAM) && !selected(m) &&
        m.count > 0)
      out += our_line(std::string(m.label) + ", P50 / P99 (ms):", median_and_p99(m, facts));
  return out;
}

std::string latencies(const figures& found, const value& facts) {
  std::string out = left_out(found, facts);
  if (const ifb_metric* m = found.find("ttft_from_due"); m != nullptr && m->count > 0)
    out += our_line("TTFT from due time, P50 / P99 (ms):", median_and_p99(*m, facts));
  if (const ifb_metric* m = found.find("ttft_text"); m != nullptr && m->count > 0)
    out += our_line("TTFT to the first text, P50 / P99 (ms):", median_and_p99(*m, facts));
  if (const ifb_metric* m = found.find("e2el_from_due"); m != nullptr && m->count > 0)
    out += our_line("E2EL from due time, P50 / P99 (ms):", median_and_p99(*m, facts));
  if (const ifb_metric* m = found.find("peak_concurrency"))
    out += our_line("Peak concurrency, exact:", std::to_string(std::llround(m->value)));
  if (const ifb_metric* m = found.find("send_lag"))
    out += our_line("Sent after due, P50 / P99 (ms):", median_and_p99(*m, facts));
  if (out.find(unbounded) != std::string::npos)
    out += our_line(std::string(unbounded) + " too few independent values:",
                    "the true P99 may be any amount higher (docs/goals.md)");
  return out;
}

/// Returns "12.50 / 40.00" for {"median": 12.5, "p99": 40, ...}.
std::string median_and_p99(const value* times) {
  std::string out;
  for (const char* name : {"median", "p99"}) {
    const value* figure = find(times, name);
    if (!out.empty()) out += " / ";
    out += figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 2) : "-";
  }
  return out;
}

/// Returns the latencies of conversations, one line for each turn.
std::string turns(const value& facts) {
  const value* all = find(facts, "turns");
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
      const value* figure = find(each, name);
      return figure != nullptr && figure->IsNumber() ? decimals(figure->GetDouble(), 1)
                                                     : std::string("-");
    };
    out += row(shown(find(each, "turn")) + (find(each, "and_later") != nullptr ? "+" : ""),
               shown(find(each, "ok")), shown(find(each, "failed")), mean("mean_input_tokens"),
               mean("mean_cached_tokens"), mean("mean_output_tokens"),
               median_and_p99(find(each, "ttft_ms")), median_and_p99(find(each, "e2el_ms")));
  }
  return out;
}

std::string conversations(const value& facts) {
  const value* of = find(facts, "conversations");
  if (of == nullptr || !of->IsObject()) return {};
  const auto number = [&](const char* key) { return shown(find(of, key)); };
  return our_line("Conversations, finished / ended early:",
                  number("finished") + " / " + number("ended_early")) +
         our_line("Most under way at once:", number("most_active"));
}

/// Returns a text such as "2.10 us".
std::string duration(double ns) {
  if (ns < 1e3) return decimals(ns, 0) + " ns";
  return ns < 1e6 ? decimals(ns / 1e3, 2) + " us" : decimals(ns / 1e6, 2) + " ms";
}

/// Returns the time that the client spends in each plugin, one line for each plugin.
std::string plugin_costs(const value& facts) {
  const value* all = find(facts, "plugin_cost");
  if (all == nullptr || !all->IsArray()) return {};
  std::string out;
  for (const auto& each : all->GetArray()) {
    std::string text;
    for (const auto& [key, unit] : {std::pair{"ns_per_request", "request"},
                                    {"ns_per_signature", "signature"},
                                    {"ns_per_event", "event"},
                                    {"ns_per_row", "row"},
                                    {"ns_per_record", "record"},
                                    {"ns_per_kb", "KB of text"}})
      if (const value* ns = find(each, key); ns != nullptr && ns->IsNumber())
        text += (text.empty() ? "" : ", ") + duration(ns->GetDouble()) + " per " + unit;
    if (!text.empty())
      out += our_line(
          "Cost of " + one_line(shown(find(each, "kind")) + " " + shown(find(each, "id"))) + ":",
          text);
  }
  return out;
}

}  // namespace

std::string our_report(const figures& found, const ifb_summary& summary, const json_value& facts,
                       bool certain) {
  std::string out;
  if ((summary.flags & IFB_SUMMARY_INTERRUPTED) != 0)
    out += "The run was stopped before its end; the figures are of what was done by then.\n";
  if (const std::string reason = shown(find(facts, "steady_state_missing")); !reason.empty())
    out += our_line("Steady state:", "none: " + one_line(reason));
  return out + accounting(facts) + score_lines(facts) + latencies(found, facts) +
         steady_part_line(facts) + burst(facts) + conversations(facts) + turns(facts) +
         observed(facts) + client_figures(facts) + plugin_costs(facts) + calibration(facts) +
         failures(facts) + error_table(found, facts) + verdict(facts) + goal_lines(facts, certain);
}

}  // namespace reporters

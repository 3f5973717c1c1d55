#include "client.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "layout.hpp"

namespace reporters {
namespace {

using value = json_value;

/// Returns the figure of a limit or a cause with this name; nullptr if there is none.
const value* observed(const value* client, std::string_view name) {
  for (const char* list : {"limits", "signs"}) {
    const value* all = find(client, list);
    if (all == nullptr || !all->IsArray()) continue;
    for (const auto& each : all->GetArray())
      if (text_of(find(each, "name")) == name) {
        const value* figure = find(each, "figure");
        return figure != nullptr && figure->IsNumber() ? figure : nullptr;
      }
  }
  return nullptr;
}

bool is_judged(const value* client, std::string_view name) {
  const value* limits = find(client, "limits");
  return limits != nullptr && limits->IsArray() &&
         std::ranges::any_of(limits->GetArray(), [&](const value& each) {
           return text_of(find(each, "name")) == name;
         });
}

/// Returns a number with separators: "1,000".
std::string thousands(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t i = out.size(); i > 3;)
    out.insert(i -= 3, ",");
  return out;
}

/// Returns a text such as "26 ms", "0.31 ms", "1.25 s".
std::string time_text(double seconds) {
  if (seconds >= 1) return decimals(seconds, 2) + " s";
  return decimals(seconds * 1e3, seconds < 0.01 ? 2 : 0) + " ms";
}

bool is_printed(const ifb_metric& m) {
  constexpr std::array<std::string_view, 4> ours{"ttft_from_due", "ttft_text", "e2el_from_due",
                                                 "send_lag"};
  if (!has(m, IFB_METRIC_SUMMARY) || m.count == 0) return false;
  return has(m, IFB_METRIC_UPSTREAM) || std::ranges::find(ours, m.name) != ours.end();
}

/// Returns the names of all percentiles that the report prints for any latency, such as "p99". P50
/// is left out, because it is the median.
std::vector<std::string> percentiles_of(const std::vector<const ifb_metric*>& rows) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    const std::string key = "p" + name;
    if (name != "50" && std::ranges::find(out, key) == out.end()) out.push_back(key);
  };
  for (const ifb_metric* m : rows)
    if (selected(*m))
      for (const ifb_quantile& each : ifb::quantiles_of(*m))
        add(percentile_name(each.q));
  if (!std::ranges::all_of(rows, [](const ifb_metric* m) { return selected(*m); })) add("99");
  return out;
}

/// Joins cells from the left, without blanks at the end.
std::string row(std::string_view label, const std::vector<std::string>& cells) {
  constexpr std::size_t cell_width = 10;
  std::string out = padded(label, label_width);
  for (std::size_t i = 0; i < cells.size(); ++i)
    out += (i == 0 ? " " : "") + (i + 1 == cells.size() ? cells[i] : padded(cells[i], cell_width));
  return out + '\n';
}

/// Returns ", client error <= 0.030 ms on P99 TTFT", or a text that the error is unknown.
std::string worst_bound(const value* client) {
  const value* unknown = find(client, "answers_without_bound");
  if (unknown != nullptr && unknown->IsUint64() && unknown->GetUint64() > 0)
    return ", client error unknown: the stamps of " + thousands(unknown->GetUint64()) +
           (unknown->GetUint64() == 1 ? " answer" : " answers") + " may be late by any amount";
  const value* worst = find(client, "worst_error_bound");
  const value* ms = find(worst, "ms");
  const std::string_view figure = text_of(find(worst, "figure"));
  if (ms == nullptr || !ms->IsNumber() || figure.empty()) return {};
  return ", client error <= " + bound_text(ms->GetDouble()) + " ms on " + one_line(figure);
}

std::string sentences(const value* client, const char* name, const char* before) {
  const value* all = find(client, name);
  std::string out;
  if (all == nullptr || !all->IsArray()) return out;
  for (const auto& each : all->GetArray())
    out += "  " + std::string(before) + one_line(shown(&each)) + '\n';
  return out;
}

}  // namespace

std::string bound_text(double ms) {
  if (!(ms > 0)) return "0";
  const int digits = ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : 3;
  const double unit = std::pow(10.0, digits);
  // The inexact representation of a decimal number as a double must not cause rounding up.
  return decimals(std::ceil(ms * unit - 1e-6) / unit, digits);
}

std::string burst(const json_value& facts) {
  const value* of = find(facts, "burst");
  const value* requests = find(of, "requests");
  const value* seconds = find(of, "seconds");
  if (requests == nullptr || !requests->IsUint64() || seconds == nullptr || !seconds->IsNumber())
    return {};
  return our_line("Burst:", thousands(requests->GetUint64()) + " requests left in " +
                                time_text(seconds->GetDouble()));
}

std::string client_figures(const json_value& facts) {
  const value* client = find(facts, "client");
  std::string out;
  if (is_judged(client, "loop_lag_p99_ms"))
    if (const value* lag = observed(client, "loop_lag_p99_ms"))
      out += our_line("Client's loop lag, P99 (ms):", decimals(lag->GetDouble(), 3));
  // A run that is shorter than one second does not have a busiest second.
  const value* whole = observed(client, "cpu");
  const value* second = observed(client, "cpu_busiest_second");
  if (whole != nullptr || second != nullptr) {
    const double used = std::max(whole == nullptr ? 0.0 : whole->GetDouble(),
                                 second == nullptr ? 0.0 : second->GetDouble());
    out += our_line("Busiest client thread (% of a core):", decimals(used * 100, 1));
  }
  return out;
}

std::string error_table(const figures& found, const json_value& facts) {
  const value* bounds = find(find(facts, "client"), "error_bound_ms");
  std::vector<const ifb_metric*> rows;
  for (const ifb_metric& m : found.all())
    if (is_printed(m) && find(bounds, m.name) != nullptr) rows.push_back(&m);
  const auto known = [&](const ifb_metric* m) { return find(bounds, m->name)->IsObject(); };
  if (std::ranges::none_of(rows, known)) return {};
  const std::vector<std::string> percentiles = percentiles_of(rows);
  std::vector<std::string> cells{"mean", "median"};
  for (const std::string& key : percentiles)
    cells.push_back("P" + key.substr(1));
  std::string out = row("Client error at most (ms):", cells);
  for (const ifb_metric* m : rows) {
    if (!known(m)) {
      out += row("  " + std::string(m->label), {"unknown"});
      continue;
    }
    const value* of = find(bounds, m->name);
    const auto cell = [&](std::string_view key) {
      const value* ms = find(of, key);
      return ms != nullptr && ms->IsNumber() ? bound_text(ms->GetDouble()) : std::string("-");
    };
    cells = {cell("mean"), cell("median")};
    for (const std::string& key : percentiles)
      cells.push_back(cell(key));
    out += row("  " + std::string(m->label), cells);
  }
  return out;
}

std::string verdict(const json_value& facts) {
  const value* client = find(facts, "client");
  const std::string level = shown(find(client, "verdict"));
  if (level.empty()) return {};
  // The verdict is about the client alone: VALID does not mean that the server answered.
  const value* ok = find(find(facts, "accounting"), "ok");
  const bool nothing = level == "VALID" && ok != nullptr && ok->IsUint64() && ok->GetUint64() == 0;
  return our_line("Client:", one_line(level) + worst_bound(client) +
                                 (nothing ? ", but no request succeeded" : "")) +
         sentences(client, "reasons", "") + sentences(client, "causes", "observed: ");
}

}  // namespace reporters

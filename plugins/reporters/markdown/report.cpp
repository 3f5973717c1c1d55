#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/command_text.hpp"
#include "reporters/common/facts.hpp"
#include "text.hpp"

namespace reporters {
namespace {

constexpr std::size_t error_width = 200;
constexpr std::size_t most_errors = 10;

/// Figures in the second table, if the run has them.
constexpr std::array<std::string_view, 10> rates{"request_throughput",
                                                 "input_sequence_throughput",
                                                 "request_goodput",
                                                 "output_throughput",
                                                 "total_token_throughput",
                                                 "total_input_tokens",
                                                 "total_output_tokens",
                                                 "peak_concurrency",
                                                 "spec_decode_acceptance_rate",
                                                 "spec_decode_acceptance_length"};

bool in_headline(const ifb_metric& m) {
  if (!has(m, IFB_METRIC_SUMMARY) || m.count == 0) return false;
  return selected(m) || std::string_view(m.name) == "ttft" || std::string_view(m.name) == "tpot" ||
         std::string_view(m.name) == "itl" || std::string_view(m.name) == "e2el";
}

std::vector<std::string> percentiles_of(const figures& found) {
  std::vector<std::string> out;
  for (const ifb_metric& m : found.all()) {
    if (!in_headline(m)) continue;
    for (const ifb_quantile& each : ifb::quantiles_of(m)) {
      const std::string name = percentile_name(each.q);
      if (name != "50" && std::ranges::find(out, name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

std::string percentile_cell(const ifb_metric& m, const std::string& name, const json_value& facts) {
  const double p = std::strtod(name.c_str(), nullptr);
  const auto value = percentile(m, p);
  if (!value) return {};
  const certainty_of_percentile certain = certainty_of(facts, m.name, p);
  std::string out = readable_number(*value);
  if (certain.bound)
    out += " (<= " + readable_number(*certain.bound) + ")";
  else if (certain.known)
    out += " (not certified)";
  return out;
}

/// The latencies with their percentiles and bounds.
std::string headline(const figures& found, const json_value& facts) {
  const std::vector<std::string> percentiles = percentiles_of(found);
  std::vector<std::string> head{"Latency (ms)", "n", "Mean", "Median"};
  for (const std::string& each : percentiles)
    head.push_back("P" + each);
  markdown_table table(head);
  for (const ifb_metric& m : found.all()) {
    if (!in_headline(m)) continue;
    std::string count = std::to_string(m.count);
    if (const auto effective = effective_count(facts, m.name))
      count += " (effective " + readable_count(std::floor(*effective)) + ")";
    std::vector<std::string> row{markdown_text(m.label), std::move(count), readable_number(m.value),
                                 readable_number(m.median)};
    for (const std::string& each : percentiles)
      row.push_back(percentile_cell(m, each, facts));
    table.add(std::move(row));
  }
  if (table.empty()) return "No request succeeded, so there are no latencies.\n\n";
  std::string out = table.text();
  if (const double confidence = confidence_of(facts); confidence > 0)
    out +=
        "\nIn brackets: upper bound of the true percentile at " + percentile_name(confidence) +
        " % confidence; \"not certified\": there are too few independent requests for a bound.\n";
  return out + "\n";
}

std::string rate_table(const figures& found) {
  markdown_table table({"Figure", "Value", "Unit"});
  for (const std::string_view name : rates) {
    const ifb_metric* m = found.find(name);
    if (m == nullptr) continue;
    table.add({markdown_text(m->title),
               has(*m, IFB_METRIC_INTEGER) ? readable_count(m->value) : readable_number(m->value),
               std::string_view(m->unit) == "1" ? "" : markdown_text(m->unit)});
  }
  return table.empty() ? std::string{} : table.text() + "\n";
}

std::string goal_table(const json_value& facts, bool certainly) {
  markdown_table table({"Goal", "Result", "Certain", "Value", "n", "Effective n"}, 3);
  for (const goal_result& goal : goals_of(facts)) {
    std::string value = goal.value ? readable_number(*goal.value) : "none";
    if (goal.value && !goal.unit.empty() && goal.unit != "1")
      value += " " + markdown_text(goal.unit);
    const bool passed = counts_as_passed(goal, certainly);
    std::string certain = goal.certain ? "yes" : "no";
    if (goal.passed && !passed) certain += ", and --threshold-certain is given";
    if (!goal.certain && !goal.reason.empty())
      certain += ": " + markdown_text(goal.reason, error_width);
    table.add({markdown_code(goal.goal), passed ? "passed" : "**failed**", std::move(certain),
               std::move(value), goal.count ? readable_count(*goal.count) : "",
               goal.effective_count ? readable_count(std::floor(*goal.effective_count)) : ""});
  }
  return table.empty() ? std::string{} : "### Goals\n\n" + table.text() + "\n";
}

std::string error_table(const json_value& facts) {
  markdown_table table({"Class", "First message", "HTTP status", "Requests"}, 2);
  const std::vector<failure_kind> all = failures_of(facts);
  for (const failure_kind& each : all) {
    if (&each - all.data() >= static_cast<std::ptrdiff_t>(most_errors)) break;
    table.add(
        {markdown_text(each.name),
         markdown_code(each.first, error_width) + (each.others_differ ? " (others differ)" : ""),
         each.http_status == 0 ? "none" : std::to_string(each.http_status),
         std::to_string(each.count)});
  }
  if (table.empty()) return {};
  std::string out = "### Errors\n\n" + table.text() + "\n";
  if (all.size() > most_errors)
    out += std::to_string(all.size() - most_errors) + " further kinds of errors are left out.\n\n";
  return out;
}

std::string client_part(const json_value& facts) {
  const std::string_view verdict = client_verdict(facts);
  if (verdict.empty()) return "The run has no verdict on the client.\n\n";
  std::string out = "Client: **" + markdown_text(verdict) + "**";
  const json_value* worst = find(find(facts, "client"), "worst_error_bound");
  const json_value* ms = find(worst, "ms");
  if (ms != nullptr && ms->IsNumber())
    out += ", its own error is at most " + readable_number(ms->GetDouble()) + " ms on " +
           markdown_text(text_of(find(worst, "figure")));
  out += ".\n\n";
  const auto reasons = client_reasons(facts);
  for (const std::string_view each : reasons)
    out += "- " + markdown_text(each) + "\n";
  if (!reasons.empty()) out += "\n";
  return out;
}

std::string first_sentence(const figures& found, const json_value& facts, bool interrupted) {
  const double failed = found.value("failed");
  std::string out = readable_count(found.value("completed")) + " requests succeeded, " +
                    (failed > 0 ? "**" + readable_count(failed) + " failed**" : "none failed");
  if (const auto never = accounted(facts, "never_sent"); never.value_or(0) > 0)
    out += ", " + std::to_string(*never) + " were never sent";
  out += "; duration " + readable_number(found.value("duration")) + " s.";
  if (interrupted) out += " **The run was stopped before its end.**";
  if (const auto part = recorded_part_of(facts))
    out +=
        std::string(part->damaged ? " **The journal is damaged: " : " **The journal has no end: ") +
        text_of(*part) + ".**";
  return out + "\n\n";
}

std::string pretty(const json_value& value) {
  rapidjson::StringBuffer out;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(out);
  writer.SetIndent(' ', 2);
  value.Accept(writer);
  return {out.GetString(), out.GetSize()};
}

std::string details(std::string_view name, const json_value& value) {
  if (!value.IsObject() || value.MemberCount() == 0) return {};
  return "<details><summary>" + std::string(name) + "</summary>\n\n" +
         markdown_block(pretty(value), "json") + "\n</details>\n\n";
}

std::string provenance(const origin& from) {
  std::string out = "Run " + markdown_code(from.run) + ", started " +
                    utc_text(from.started_unix_ns).substr(0, 19) + "Z.\n\n";
  const std::string command = command_text(flags_of(from.config_json));
  if (!command.empty()) out += markdown_block(command, "sh") + "\n";
  out += details("Environment", parse_object(from.environment_json));
  out += details("Configuration", plan_of(from.config_json));
  return out;
}

}  // namespace

std::string markdown_report(const origin& from, const ifb_summary& summary,
                            const std::string& title) {
  const figures found(summary);
  const rapidjson::Document facts = parse_object(ifb::view(summary.facts_json));
  const ifb::run_description run = ifb::describe(from.config_json);
  std::string out = "## ";
  if (!title.empty())
    out += markdown_text(title);
  else
    out += "Benchmark of " + markdown_text(run.model_id) + " with " + markdown_text(run.backend);
  out += "\n\n";
  out += first_sentence(found, facts, (summary.flags & IFB_SUMMARY_INTERRUPTED) != 0);
  out += headline(found, facts);
  out += rate_table(found);
  out += goal_table(facts, run.thresholds_certain);
  out += error_table(facts);
  out += "### Validity\n\n" + client_part(facts) + provenance(from);
  while (out.ends_with("\n\n"))
    out.pop_back();
  return out;
}

}  // namespace reporters

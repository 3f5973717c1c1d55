#include "side_by_side.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "layout.hpp"
#include "reporters/common/facts.hpp"
#include "reporters/common/figures.hpp"

namespace reporters {
namespace {

constexpr std::size_t columns_in_a_block = 4;
constexpr std::size_t side_cell_width = 22;
constexpr std::size_t longest_label = 16;
constexpr std::size_t most_label_lines = 4;
constexpr std::size_t longest_value = 60;

constexpr std::array<std::string_view, 10> shown_numbers{
    "duration",           "request_throughput",  "input_sequence_throughput",
    "request_goodput",    "output_throughput",   "total_token_throughput",
    "total_input_tokens", "total_output_tokens", "peak_concurrency",
    "correct_rate"};

/// The number of characters of valid UTF-8.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The byte at which character n of valid UTF-8 begins; the size if there are not more characters.
std::size_t place_of(std::string_view text, std::size_t n) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && n-- == 0) return at;
  return text.size();
}

/// The first characters of a line of valid UTF-8; "..." ends a line that was cut.
std::string cut(std::string_view text, std::size_t characters) {
  if (width_of(text) <= characters) return std::string(text);
  return std::string(text.substr(0, place_of(text, characters - 3))) + "...";
}

/// Leaves out the middle of a word that is too long, because names often differ at their ends.
std::string shortened(std::string_view word) {
  const std::size_t all = width_of(word);
  if (all <= longest_label) return std::string(word);
  constexpr std::size_t in_front = 4, behind = longest_label - in_front - 3;
  return std::string(word.substr(0, place_of(word, in_front))) + "..." +
         std::string(word.substr(place_of(word, all - behind)));
}

/// A label in lines of at most longest_label characters, divided at its blanks. The first and
/// the last lines remain if there are more than most_label_lines.
std::vector<std::string> lines_of_label(std::string_view label) {
  if (width_of(label) <= longest_label) return {std::string(label)};
  std::vector<std::string> out;
  while (!label.empty()) {
    const std::size_t end = std::min(label.find(' '), label.size());
    const std::string word = shortened(label.substr(0, end));
    label.remove_prefix(std::min(end + 1, label.size()));
    if (word.empty()) continue;
    if (out.empty() || width_of(out.back()) + 1 + width_of(word) > longest_label)
      out.push_back(word);
    else
      out.back() += " " + word;
  }
  if (out.size() > most_label_lines) {
    out[1] = "...";
    out.erase(out.begin() + 2, out.end() - 1);
  }
  return out;
}

/// Blanks on the left up to the width of a cell, and at least one.
std::string side_cell(std::string_view text) {
  const std::size_t width = width_of(text);
  return std::string(width < side_cell_width ? side_cell_width - width : 1, ' ') +
         std::string(text);
}

std::string side_row(std::string_view label, const std::vector<std::string>& cells) {
  std::string out = padded(label, label_width);
  for (const std::string& each : cells)
    out += side_cell(each);
  return out + '\n';
}

std::string with_unit(std::string_view title, std::string_view unit) {
  std::string out(title);
  if (unit != "1") out.append(" (").append(unit).append(")");
  return out;
}

/// " x1.048"; empty if there is no ratio.
std::string ratio(double of, double to) {
  const double found = of / to;
  if (!std::isfinite(found) || found <= 0) return {};
  char text[40];
  std::snprintf(text, sizeof text, found < 100 ? " x%.3f" : " x%.3g", found);
  return text;
}

std::string count_text(const json_value* of) {
  return of != nullptr && of->IsUint64() ? std::to_string(of->GetUint64()) : "?";
}

std::string places_text(const json_value* of) {
  const std::string count = count_text(of);
  return count + (count == "1" ? " place" : " places");
}

/// "3/4, 2 certain": passed goals of all goals; "-": the run has no goals.
std::string goals_text(const json_value& facts) {
  const std::vector<goal_result> goals = goals_of(facts);
  if (goals.empty()) return "-";
  const auto passed = std::ranges::count_if(goals, [](const auto& g) { return g.passed; });
  const auto certain = std::ranges::count_if(goals, [](const auto& g) { return g.certain; });
  return std::to_string(passed) + "/" + std::to_string(goals.size()) + ", " +
         std::to_string(certain) + " certain";
}

/// The independent observations behind the percentiles of TTFT, or of E2EL in a run without TTFT.
std::string observations_text(const json_value& facts) {
  for (const char* name : {"ttft", "e2el"})
    if (const auto count = effective_count(facts, name))
      return std::to_string(static_cast<long long>(std::min(std::floor(*count), 1e15)));
  return "not known";
}

std::vector<std::string> remarks_of(const ifb_summary& summary, const json_value& facts) {
  std::vector<std::string> out;
  if (const json_value* lost = find(facts, "journal_damage"))
    out.push_back("journal damaged at " + places_text(find(lost, "places")) + ": " +
                  count_text(find(lost, "records_read")) + " records read, " +
                  count_text(find(lost, "bytes_dropped")) + " bytes lost");
  if ((summary.flags & IFB_SUMMARY_INTERRUPTED) != 0) out.emplace_back("stopped before its end");
  return out;
}

}  // namespace

void side_by_side::add(const ifb_table_run& run) {
  const ifb_summary& summary = *run.summary;
  const rapidjson::Document facts = parse_object(ifb::view(summary.facts_json));
  const figures found(summary);
  side out;
  out.label = one_line(ifb::view(run.label));
  out.source = one_line(ifb::view(run.source));
  out.remarks = remarks_of(summary, facts);
  out.settings = settings_of(ifb::view(run.run->config_json), ifb::view(run.run->environment_json));
  if (found.find("completed") != nullptr)
    out.requests =
        decimals(found.value("completed"), 0) + " / " + decimals(found.value("failed"), 0);
  out.observations = observations_text(facts);
  out.client = std::string(client_verdict(facts));
  if (out.client.empty()) out.client = "not known";
  out.client = one_line(out.client);
  out.goals = goals_text(facts);
  out.confidence = confidence_of(facts);
  for (const std::string_view name : shown_numbers)
    if (const ifb_metric* m = found.find(name))
      out.figures.push_back({with_unit(m->title, m->unit), m->value, has(*m, IFB_METRIC_INTEGER)});
  for (const ifb_metric& m : found.all()) {
    if (!selected(m) || m.count == 0) continue;
    const std::string label = m.label;
    out.figures.push_back({with_unit("Mean " + label, m.unit), m.value});
    out.figures.push_back({with_unit("Median " + label, m.unit), m.median});
    for (const ifb_quantile& each : ifb::quantiles_of(m)) {
      const std::string p = percentile_name(each.q);
      if (p == "50") continue;
      const certainty_of_percentile sure = certainty_of(facts, m.name, each.q * 100);
      std::string name = "P";
      name.append(p).append(" ").append(label);
      out.figures.push_back(
          {with_unit(name, m.unit), each.value, false, sure.known && !sure.bound});
    }
  }
  sides_.push_back(std::move(out));
}

std::string side_by_side::text(const ifb_table_end& end) const {
  std::string out = runs_text();
  // The first run is in every block, because the others are compared with it.
  for (std::size_t next = 1; next < sides_.size() || next == 1;) {
    std::vector<std::size_t> columns{0};
    while (columns.size() < columns_in_a_block && next < sides_.size())
      columns.push_back(next++);
    if (columns.size() == 1) ++next;
    if (!sides_.empty()) out += '\n' + figures_text(columns);
  }
  return out + uncertified_text() + '\n' + differences_text() + '\n' + evidence_text(end);
}

std::string side_by_side::uncertified_text() const {
  for (const side& each : sides_)
    if (std::ranges::any_of(each.figures, &figure::uncertified))
      return side_row("~ too few independent values:",
                      {"the true percentile may be any amount higher (confidence " +
                       decimals(each.confidence, 2) + ", docs/goals.md)"});
  return {};
}

std::string side_by_side::runs_text() const {
  std::string out = "============ Runs side by side ============\n";
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    out += std::to_string(i + 1) + "  " + sides_[i].label;
    if (!sides_[i].source.empty()) out += "  (" + sides_[i].source + ")";
    out += '\n';
    for (const std::string& each : sides_[i].remarks)
      out += "   " + each + '\n';
  }
  return out;
}

std::string side_by_side::figures_text(const std::vector<std::size_t>& columns) const {
  const auto cells = [&](const auto& of) {
    std::vector<std::string> out;
    for (const std::size_t i : columns)
      out.push_back(of(sides_[i]));
    return out;
  };
  std::vector<std::vector<std::string>> titles;
  std::size_t lines = 0;
  for (const std::size_t i : columns) {
    auto& title = titles.emplace_back(lines_of_label(sides_[i].label));
    if (title.empty()) title.emplace_back();
    title.front().insert(0, std::to_string(i + 1) + " ");
    lines = std::max(lines, title.size());
  }
  std::string out;
  for (std::size_t line = 0; line < lines; ++line) {
    std::vector<std::string> row;
    for (const auto& title : titles)
      row.push_back(line < title.size() ? title[line] : std::string{});
    while (row.back().empty())
      row.pop_back();
    out += side_row("", row);
  }
  // A start-up benchmark sends no requests.
  const bool with_requests =
      std::ranges::any_of(sides_, [](const side& s) { return !s.requests.empty(); });
  if (with_requests)
    out += side_row("Requests, ok / failed", cells([](const side& s) {
                      return s.requests.empty() ? std::string("-") : s.requests;
                    }));

  std::vector<std::string> rows;
  for (const std::size_t i : columns)
    for (const figure& each : sides_[i].figures)
      if (std::ranges::find(rows, each.row) == rows.end()) rows.push_back(each.row);
  const auto figure_of = [](const side& of, const std::string& name) -> const figure* {
    const auto at = std::ranges::find(of.figures, name, &figure::row);
    return at == of.figures.end() ? nullptr : &*at;
  };
  for (const std::string& name : rows) {
    const figure* const first = figure_of(sides_.front(), name);
    out += side_row(name, cells([&](const side& s) {
                      const figure* const f = figure_of(s, name);
                      if (f == nullptr) return std::string("-");
                      return (f->uncertified ? "~" : "") + decimals(f->value, f->whole ? 0 : 2) +
                             (f == first || first == nullptr ? "" : ratio(f->value, first->value));
                    }));
  }
  if (with_requests)
    out += side_row("Independent observations (requests)",
                    cells([](const side& s) { return s.observations; }));
  if (std::ranges::any_of(sides_, [](const side& s) { return s.goals != "-"; }))
    out += side_row("Goals passed", cells([](const side& s) { return s.goals; }));
  if (!with_requests) return out;
  return out + side_row("Client", cells([](const side& s) { return s.client; }));
}

std::string side_by_side::differences_text() const {
  std::vector<run_settings> settings;
  for (const side& each : sides_)
    settings.push_back(each.settings);
  const std::vector<setting_difference> all = differences_of(settings);
  if (all.empty()) return "The configurations of the runs are equal.\n";
  std::string out = "What differs in the configuration\n";
  for (const setting_difference& each : all) {
    out += "  " + one_line(each.name) + '\n';
    for (std::size_t i = 0; i < each.values.size(); ++i)
      out += "    " + std::to_string(i + 1) + "  " +
             (each.values[i].empty() ? "not set" : cut(one_line(each.values[i]), longest_value)) +
             '\n';
  }
  return out;
}

std::string side_by_side::evidence_text(const ifb_table_end& end) const {
  std::size_t most = sides_.empty() ? 0 : 1;
  std::string counts;
  for (const ifb_table_point& point : ifb::points_of(end)) {
    most = std::max(most, point.run_count);
    counts += (counts.empty() ? "" : ", ") + std::to_string(point.run_count);
  }
  if (most > 1)
    return "Runs behind each point: " + counts +
           ". The ratios are those of single runs; a difference between\n"
           "two points is not tested here.\n";
  return "Each column is one run: n = 1 for each side. The ratios describe these runs; one run a "
         "side supports no\nclaim about a difference between their settings, however many requests "
         "a run has.\n";
}

}  // namespace reporters

#include "layout.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "cells.hpp"

namespace reporters {

namespace {

// Above this share of a core, a worker may have delayed requests (docs/results.md).
constexpr double busy = 0.8;

constexpr std::size_t label_columns = 12;
constexpr std::size_t number_columns = 9;
constexpr std::size_t most_failures = 3;
constexpr std::size_t most_series = 12;

/// How important a line is: the least important lines are left out first.
enum rank : int { gap, charts, series, old_log, percentiles, errors, rates, essential };

struct ranked_line {
  int importance;
  screen_line line;
};

class writer {
 public:
  writer(const screen_model& now, const screen_size& size) : now_(now), size_(size) {}

  std::vector<screen_line> lines() {
    title();
    progress();
    counts();
    rate_lines();
    latency_lines();
    client_line();
    chart_lines();
    series_lines();
    failure_lines();
    log_lines();
    leave_out();
    std::vector<screen_line> out;
    for (ranked_line& each : all_)
      out.push_back(cut(std::move(each.line)));
    return out;
  }

 private:
  std::string clean(std::string_view text) const { return fitted(text, size_.columns, size_.utf8); }
  void add(int importance, screen_line line) { all_.push_back({importance, std::move(line)}); }
  void blank() { add(gap, {}); }

  void title() {
    screen_line line{{"inferbench", emphasis::strong}};
    if (!now_.backend.empty()) line.push_back({"  " + clean(now_.backend)});
    if (!now_.model.empty()) line.push_back({"  " + clean(now_.model), emphasis::strong});
    if (!now_.name.empty()) line.push_back({"  " + clean(now_.name), emphasis::faint});
    add(essential, std::move(line));
  }

  void progress() {
    const std::string percent = right(std::to_string(static_cast<int>(now_.share * 100)), 3) + "% ";
    const std::string times =
        " " + time_text(now_.elapsed_s) +
        (now_.left_s ? ", " + time_text(*now_.left_s) + " left" : std::string());
    const std::size_t text = percent.size() + times.size();
    constexpr std::size_t widest = 60;
    const std::size_t bar = size_.columns > text + 6 ? std::min(size_.columns - text, widest) : 0;
    add(essential, {{percent, emphasis::strong},
                    {progress_bar_of(now_.share, bar, size_.utf8), emphasis::good},
                    {times}});
  }

  void counts() {
    blank();
    std::string done = std::to_string(now_.finished);
    if (now_.planned) done += "/" + std::to_string(*now_.planned);
    add(essential, {{left("Requests", label_columns), emphasis::faint},
                    {done + " done", emphasis::strong},
                    {"  " + std::to_string(now_.in_flight) + " in flight"},
                    {"  " + std::to_string(now_.failed) + " failed",
                     now_.failed == 0 ? emphasis::faint : emphasis::bad}});
  }

  void rate_line(const char* label, const rate_pair& of, const char* unit) {
    add(rates, {{left(label, label_columns), emphasis::faint},
                {short_number(of.now) + unit, emphasis::strong},
                {"  mean " + short_number(of.mean) + unit}});
  }
  void rate_lines() {
    rate_line("Rate", now_.requests, " req/s");
    if (now_.tokens) rate_line("Output", *now_.tokens, " token/s");
  }

  void latency_lines() {
    if (now_.latencies.empty()) return;
    blank();
    const auto row = [](std::string_view label, const std::vector<std::string>& cells) {
      std::string out = left(label, label_columns);
      for (const std::string& each : cells)
        out += right(each, number_columns);
      return out;
    };
    add(percentiles, {{row("ms", {"mean", "P50", "P90", "P99"}), emphasis::faint}});
    const auto cell = [](const std::optional<double>& of) {
      return of ? short_number(*of) : std::string("-");
    };
    for (const latency_summary& each : now_.latencies)
      add(percentiles,
          {{row(fitted(each.label, label_columns - 1, size_.utf8),
                {short_number(each.mean), cell(each.p50), cell(each.p90), cell(each.p99)})}});
  }

  void client_line() {
    if (!now_.send_lag_p99_ms && !now_.busiest_worker) return;
    blank();
    screen_line line{{left("Client", label_columns), emphasis::faint}};
    if (now_.busiest_worker) {
      const bool over = *now_.busiest_worker > busy;
      line.push_back({"busiest worker " + std::to_string(std::lround(*now_.busiest_worker * 100)) +
                          "%" + (over ? " (!)" : ""),
                      over ? emphasis::bad : emphasis::none});
    }
    if (now_.send_lag_p99_ms)
      line.push_back({(now_.busiest_worker ? "  send lag P99 " : "send lag P99 ") +
                      short_number(*now_.send_lag_p99_ms) + " ms"});
    add(rates, std::move(line));
  }

  void chart_line(const char* label, const std::vector<double>& values) {
    if (values.size() < 2 || size_.columns < label_columns + 16) return;
    const std::string most = " max " + short_number(std::ranges::max(values));
    const std::size_t room = size_.columns - label_columns - most.size();
    add(charts, {{left(label, label_columns), emphasis::faint},
                 {chart_of(values, std::min<std::size_t>(room, 120), size_.utf8), emphasis::good},
                 {most, emphasis::faint}});
  }
  void chart_lines() {
    blank();
    chart_line("req/s", now_.rate_history);
    chart_line("in flight", now_.in_flight_history);
  }

  void series_lines() {
    if (now_.series.empty()) return;
    blank();
    std::string line;
    const auto flush = [&](const char* label) {
      add(series, {{left(label, label_columns), emphasis::faint}, {std::exchange(line, {})}});
    };
    const char* label = "Server";
    for (std::size_t i = 0; i < std::min(now_.series.size(), most_series); ++i) {
      const series_value& each = now_.series[i];
      const std::string text =
          clean(each.name) + " " + short_number(each.value) +
          (each.unit.empty() || each.unit == "1" ? "" : " " + clean(each.unit));
      if (!line.empty() && label_columns + columns_of(line) + 2 + columns_of(text) > size_.columns)
        flush(std::exchange(label, ""));
      line += (line.empty() ? "" : "  ") + text;
    }
    flush(label);
  }

  void failure_lines() {
    if (now_.failures.empty()) return;
    blank();
    for (std::size_t i = 0; i < std::min(now_.failures.size(), most_failures); ++i) {
      const live_failure& each = now_.failures[i];
      add(errors, {{left(i == 0 ? "Errors" : "", label_columns), emphasis::faint},
                   {std::to_string(each.count) + "x " + clean(each.name), emphasis::bad},
                   {"  " + clean(each.first)}});
    }
    if (now_.failures.size() > most_failures)
      add(old_log, {{left("", label_columns)},
                    {std::to_string(now_.failures.size() - most_failures) + " further kinds",
                     emphasis::faint}});
  }

  void log_lines() {
    if (now_.log.empty()) return;
    blank();
    for (std::size_t i = 0; i < now_.log.size(); ++i) {
      const bool bad = now_.log[i].starts_with("warning") || now_.log[i].starts_with("error");
      // The newest line is as important as an error.
      add(i + 1 == now_.log.size() ? errors : old_log,
          {{clean(now_.log[i]), bad ? emphasis::warn : emphasis::none}});
    }
  }

  // Leaves out the least important lines, of each group the last, but of the log the oldest.
  void leave_out() {
    while (all_.size() > size_.rows) {
      const int least = std::ranges::min(all_, {}, &ranked_line::importance).importance;
      const auto of_rank = [&](const ranked_line& each) { return each.importance == least; };
      if (least == old_log) {
        all_.erase(std::ranges::find_if(all_, of_rank));
        continue;
      }
      const auto last = std::find_if(all_.rbegin(), all_.rend(), of_rank);
      all_.erase(std::next(last).base());
    }
  }

  screen_line cut(screen_line line) const {
    std::size_t used = 0;
    for (screen_span& each : line) {
      each.text = fitted(each.text, size_.columns - used, true);
      used += columns_of(each.text);
    }
    std::erase_if(line, [](const screen_span& each) { return each.text.empty(); });
    return line;
  }

  const screen_model& now_;
  const screen_size& size_;
  std::vector<ranked_line> all_;
};

}  // namespace

std::vector<screen_line> lay_out(const screen_model& now, const screen_size& size) {
  return writer(now, size).lines();
}

}  // namespace reporters

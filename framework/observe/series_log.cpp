#include "observe/series_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "observe/ready_names.hpp"
#include "observe/source_series.hpp"

namespace inferbench::observe {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view share_unit = "1";

void write_value(ifb::json_writer& out, double value) {
  if (std::isfinite(value))
    out.raw(fmt::format("{:.6g}", value));
  else
    out.null();
}

void write_labels(ifb::json_writer& out, const records::observed_series& of) {
  out.key("labels");
  out.begin_object();
  for (const auto& [name, value] : of.labels)
    out.member(name, value);
  out.end_object();
}

/// The value of a series at a point. Gaps at the end of `values` may be missing.
double value_at(std::span<const double> values, std::size_t point) {
  return point < values.size() ? values[point] : gap;
}

}  // namespace

void series_log::add(const records::observation& what) {
  const std::lock_guard lock(mutex_);
  if (!sources_.contains(what.source) && sources_.size() == most_sources) return;
  source& to = sources_[what.source];
  define(to, what);
  if (what.at_ns != 0) read(to, what);
}

void series_log::define(source& to, const records::observation& what) {
  if (!what.url.empty()) to.url = what.url;
  if (!what.server.empty()) to.server = what.server;
  if (what.interval_ns != 0) to.interval_ns = what.interval_ns;
  to.left_out = std::max(to.left_out, what.left_out);
  for (const records::observed_series& one : what.series) {
    if (one.index >= most_series) continue;
    line& found = to.lines[one.index];
    found.about = one;
    found.defined = true;
  }
}

void series_log::read(source& to, const records::observation& what) const {
  ++to.scrapes;
  if (!what.error.empty() && to.failed++ == 0) to.first_error = what.error;
  if (what.at_ns <= to.last_ns) return;  // only in a journal that inferbench did not write
  to.last_ns = what.at_ns;
  const double at_s = what.at_ns >= started_ns_
                          ? static_cast<double>(what.at_ns - started_ns_) / 1e9
                          : -static_cast<double>(started_ns_ - what.at_ns) / 1e9;
  to.open_at_sum += at_s;
  ++to.open;
  for (auto& [index, one] : to.lines)
    one.latest = gap;
  for (const records::observed_value& value : what.values)
    if (value.series < most_series) put(to.lines[value.series], value, what.at_ns);
  if (to.open == to.per_point) close_point(to);
}

void series_log::put(line& to, const records::observed_value& value, std::uint64_t at_ns) {
  if (!std::isfinite(value.value)) return;
  double shown = value.value;
  if (value.counter) {
    const bool goes_on =
        to.counting && !value.fresh && value.value >= to.last_value && at_ns > to.last_ns;
    const double gained = value.value - to.last_value;
    shown = goes_on ? gained / (static_cast<double>(at_ns - to.last_ns) / 1e9) : gap;
    if (goes_on) to.total += gained;
    to.counting = true;
    to.last_value = value.value;
    to.last_ns = at_ns;
  }
  to.latest = shown;
  if (!std::isfinite(shown)) return;
  to.open_sum += shown;
  ++to.open_count;
}

void series_log::close_point(source& of) {
  of.at_s.push_back(of.open_at_sum / static_cast<double>(of.open));
  for (auto& [index, one] : of.lines) {
    if (one.open_count == 0) continue;
    one.values.resize(of.at_s.size() - 1, gap);
    one.values.push_back(one.open_sum / static_cast<double>(one.open_count));
    one.open_sum = 0;
    one.open_count = 0;
  }
  of.open = 0;
  of.open_at_sum = 0;
  const std::size_t points = of.at_s.size();
  const bool full = points >= most_points || points * of.lines.size() >= most_values;
  if (full && points % 2 == 0) halve(of);
}

void series_log::halve(source& of) {
  const std::size_t points = of.at_s.size() / 2;
  for (std::size_t i = 0; i < points; ++i)
    of.at_s[i] = (of.at_s[2 * i] + of.at_s[2 * i + 1]) / 2;
  of.at_s.resize(points);
  for (auto& [index, one] : of.lines) {
    const std::size_t kept = (one.values.size() + 1) / 2;
    for (std::size_t i = 0; i < kept; ++i) {
      const double first = one.values[2 * i];
      const double second = value_at(one.values, 2 * i + 1);
      one.values[i] = std::isnan(first)    ? second
                      : std::isnan(second) ? first
                                           : (first + second) / 2;
    }
    one.values.resize(kept);
    one.values.shrink_to_fit();
  }
  of.per_point *= 2;
}

bool series_log::empty() const {
  const std::lock_guard lock(mutex_);
  return sources_.empty();
}

const series_log::line* series_log::ready(const source& from, std::string_view name) {
  for (const auto& [index, one] : from.lines)
    if (one.defined && !one.about.combined.empty() && one.about.name == name) return &one;
  return nullptr;
}

std::vector<current_value> series_log::latest() const {
  const std::lock_guard lock(mutex_);
  std::vector<current_value> out;
  for (const auto& [number, from] : sources_) {
    const auto add = [&](std::string_view name, std::string_view unit, const line& like,
                         double value) {
      if (std::isfinite(value))
        out.push_back({from.url, from.server, std::string(name), std::string(unit),
                       like.about.labels, value});
    };
    for (const auto& [index, one] : from.lines)
      if (one.defined) add(one.about.name, one.about.unit, one, one.latest);
    for (const ready_ratio& ratio : ready_ratios()) {
      const line* part = ready(from, ratio.part);
      const line* whole = ready(from, ratio.whole);
      if (part != nullptr && whole != nullptr && whole->latest > 0)
        add(ratio.name, share_unit, *part, part->latest / whole->latest);
    }
  }
  return out;
}

void series_log::write_lines(ifb::json_writer& out, const source& from) {
  const auto begin = [&](std::string_view name, std::string_view unit, std::string_view metric,
                         const records::observed_series& like) {
    out.begin_object();
    out.member("name", name);
    out.member("unit", unit);
    out.member("metric", metric);
    write_labels(out, like);
    if (!like.combined.empty()) out.member("combined", like.combined);
  };
  const auto end = [&](const auto& value) {
    out.key("values");
    out.begin_array();
    for (std::size_t i = 0; i < from.at_s.size(); ++i)
      write_value(out, value(i));
    out.end_array();
    out.end_object();
  };
  for (const auto& [index, one] : from.lines) {
    if (!one.defined) continue;  // the frames with its name are lost
    begin(one.about.name, one.about.unit, one.about.metric, one.about);
    if (one.about.counter) {
      out.key("total");
      write_value(out, one.total);
    }
    end([&](std::size_t i) { return value_at(one.values, i); });
  }
  for (const ready_ratio& ratio : ready_ratios()) {
    const line* part = ready(from, ratio.part);
    const line* whole = ready(from, ratio.whole);
    if (part == nullptr || whole == nullptr) continue;
    begin(ratio.name, share_unit, part->about.metric + " / " + whole->about.metric, part->about);
    end([&](std::size_t i) {
      const double all = value_at(whole->values, i);
      return all > 0 ? value_at(part->values, i) / all : gap;
    });
  }
}

void series_log::write_source(ifb::json_writer& out, source from) {
  if (from.open != 0) close_point(from);
  out.begin_object();
  out.member("url", from.url);
  out.member("server", from.server);
  out.member("scrapes", from.scrapes);
  out.member("failed", from.failed);
  out.key("first_error");
  if (from.failed == 0)
    out.null();
  else
    out.string(from.first_error);
  out.member("scrapes_per_point", from.per_point);
  out.member("left_out", from.left_out);
  out.key("at_s");
  out.begin_array();
  for (const double at : from.at_s)
    out.raw(fmt::format("{:.3f}", at));
  out.end_array();
  out.key("series");
  out.begin_array();
  write_lines(out, from);
  out.end_array();
  out.end_object();
}

std::string series_log::to_json() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t interval_ns = 0;
  for (const auto& [number, from] : sources_)
    interval_ns = std::max(interval_ns, from.interval_ns);
  ifb::json_writer out;
  out.begin_object();
  out.member("interval_s", static_cast<double>(interval_ns) / 1e9);
  out.key("sources");
  out.begin_array();
  for (const auto& [number, from] : sources_)
    write_source(out, from);
  out.end_array();
  out.end_object();
  return out.take();
}

std::vector<std::string> series_log::warnings() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [number, from] : sources_) {
    if (from.scrapes != 0 && from.failed == from.scrapes)
      out.push_back(fmt::format("--observe: none of {} readings of {} succeeded: {}", from.scrapes,
                                from.url, from.first_error));
    else if (from.scrapes != 0 && from.lines.empty())
      out.push_back("--observe: inferbench knows no metric of " + from.url +
                    "; choose metrics with --observe-names");
    if (from.left_out != 0)
      out.push_back(
          fmt::format("--observe: {} series of {} are left out: --observe-names may add at most {} "
                      "series, and none with very long labels",
                      from.left_out, from.url, source_series::most_wanted));
  }
  return out;
}

}  // namespace inferbench::observe

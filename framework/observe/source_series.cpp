#include "observe/source_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/text.hpp"

namespace inferbench::observe {

namespace {

// A series whose labels are longer is left out.
constexpr std::size_t longest_labels = 4096;  // bytes

bool is_rank(std::string_view label) noexcept {
  return label == "tp_rank" || label == "pp_rank" || label == "moe_ep_rank";
}

std::size_t mixed(std::size_t a, std::size_t b) noexcept {
  return a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U));
}

/// The hash of the labels without ranks. Servers write the labels of a metric in one order.
std::size_t group_of(const metric_sample& one) {
  std::size_t out = std::hash<std::string_view>{}(one.name);
  for (const metric_label& label : one.labels) {
    if (is_rank(label.name)) continue;
    out = mixed(out, std::hash<std::string_view>{}(label.name));
    out = mixed(out, std::hash<std::string_view>{}(label.value));
  }
  return out;
}

bool has_label(const metric_sample& one, std::string_view name, std::string_view value) {
  const auto found = std::ranges::find(one.labels, name, &metric_label::name);
  return found != one.labels.end() && found->value == value;
}

/// Whether the value of a sample only grows while its server runs.
bool grows(const metric_sample& one) {
  switch (one.type) {
    case metric_type::counter: return true;
    case metric_type::gauge: return false;
    case metric_type::histogram: return true;
    case metric_type::summary: return one.name.ends_with("_sum") || one.name.ends_with("_count");
    case metric_type::unknown: return one.name.ends_with("_total");
  }
  return false;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // position after the latest *
  std::size_t begin = 0;                      // where the text of that * was assumed to end
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      begin = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++begin;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

source_series::source_series(std::vector<std::string> patterns)
    : patterns_(std::move(patterns)), found_(ready_names().size()) {
  for (std::size_t i = 0; i < ready_names().size(); ++i) {
    const ready_name& row = ready_names()[i];
    rows_.emplace(row.metric, i);
    if (!row.plus.empty()) rows_.emplace(row.plus, i);
  }
}

page_summary source_series::read(std::string_view page, records::observation& out) {
  std::ranges::fill(found_, gathered());
  seen_.assign(all_.size(), false);
  beyond_ = 0;
  page_summary summary = read_metrics(page, [&](const metric_sample& one) {
    if (!std::isfinite(one.value)) return;
    gather(one);
    keep_wanted(one, out);
  });
  add_ready(out);
  left_out_ = std::max(left_out_, beyond_);
  return summary;
}

void source_series::gather(const metric_sample& one) {
  const auto [begin, end] = rows_.equal_range(one.name);
  for (auto at = begin; at != end; ++at) {
    const ready_name& row = ready_names()[at->second];
    if (one.value > row.most) continue;
    if (!row.label_name.empty() && !has_label(one, row.label_name, row.label_value)) continue;
    gathered& to = found_[at->second];
    (one.name == row.metric ? to.first : to.plus) = true;
    const auto [group, added] = to.groups.try_emplace(group_of(one), one.value);
    if (!added) group->second = std::max(group->second, one.value);
  }
}

void source_series::add_ready(records::observation& out) {
  std::vector<std::string_view> done;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const ready_name& row = ready_names()[i];
    const gathered& from = found_[i];
    if (!from.first || (!row.plus.empty() && !from.plus)) continue;
    if (std::ranges::find(done, row.name) != done.end()) continue;
    done.push_back(row.name);
    double sum = 0;
    std::size_t sets = 0;
    for (const auto& [group, value] : from.groups) {
      sum += value;
      sets = mixed(sets, group);
    }
    if (row.combined == combination::mean) sum /= static_cast<double>(from.groups.size());
    auto known = ready_.find(row.name);
    if (known == ready_.end()) {
      if (server_.empty()) server_ = row.server;
      records::observed_series what;
      what.name = row.name;
      what.metric = row.metric;
      what.unit = row.unit;
      what.counter = row.counter;
      what.combined = row.combined == combination::mean ? "mean" : "sum";
      if (!row.label_name.empty()) what.labels.emplace_back(row.label_name, row.label_value);
      known = ready_.emplace(row.name, add(std::move(what), out)).first;
      sets_.back() = sets;
    }
    const std::size_t before = std::exchange(sets_[known->second], sets);
    out.values.push_back(
        {known->second, row.counter, row.counter && before != sets, sum * row.scale});
  }
}

void source_series::keep_wanted(const metric_sample& one, records::observation& out) {
  const auto wants = [&](const std::string& pattern) { return matches(pattern, one.name); };
  if (patterns_.empty() || std::ranges::none_of(patterns_, wants)) return;
  auto known = wanted_.find(one.series);
  if (known == wanted_.end()) {
    if (wanted_.size() == most_wanted || one.series.size() > longest_labels) {
      ++beyond_;
      return;
    }
    records::observed_series what;
    what.name = what.metric = one.name;
    what.counter = grows(one);
    what.unit = what.counter ? "1/s" : "";
    for (const metric_label& label : one.labels)
      what.labels.emplace_back(label.name, base::valid_utf8(label.value));
    known = wanted_.emplace(one.series, add(std::move(what), out)).first;
  }
  // A page that names a series twice is against the format.
  if (seen_[known->second]) return;
  seen_[known->second] = true;
  out.values.push_back({known->second, all_[known->second].counter, false, one.value});
}

std::uint32_t source_series::add(records::observed_series what, records::observation& out) {
  what.index = static_cast<std::uint32_t>(all_.size());
  out.series.push_back(what);
  all_.push_back(std::move(what));
  sets_.push_back(0);
  seen_.push_back(false);
  return static_cast<std::uint32_t>(all_.size() - 1);
}

}  // namespace inferbench::observe

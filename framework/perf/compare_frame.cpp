#include "perf/compare_frame.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

constexpr std::array<std::string_view, 6> info_columns{"Model",      "Dataset Name",    "Input Len",
                                                       "Output Len", concurrency_title, "qps"};

struct key_order {
  bool operator()(const std::vector<compared_cell>& a, const std::vector<compared_cell>& b) const {
    return key_less(a, b);
  }
};

/// The number in a cell; counts cells that hold something else.
std::optional<double> number_in(const ifb::json_value* cell, std::size_t& unread) {
  if (cell == nullptr || cell->IsNull()) return std::nullopt;
  std::optional<double> out;
  if (cell->IsNumber()) out = cell->GetDouble();
  if (cell->IsString()) out = pytext::python_float(ifb::text_of(cell));
  if (!out) ++unread;
  return out && !std::isnan(*out) ? out : std::nullopt;
}

bool is_missing(const ifb::json_value* cell) {
  return cell == nullptr || cell->IsNull() || (cell->IsDouble() && std::isnan(cell->GetDouble()));
}

/// Reads the rows of one file into the rows of the frame.
class file_alignment {
 public:
  file_alignment(const compared_file& from, const compared_frame& frame)
      : from_(from), frame_(frame), unread_(frame.key_columns.size() + 1) {}

  template <typename map>
  void read(std::size_t place, std::size_t files, map& rows) {
    const bool drops = frame_.role != metric_role::throughput && from_.has("P99");
    for (const ifb::json_value* row : from_.rows) {
      if (drops && is_missing(from_.cell(*row, "P99"))) continue;
      std::vector<compared_cell> key;
      for (std::size_t i = 0; i < frame_.key_columns.size(); ++i)
        key.push_back(key_cell(*row, i));
      auto& entries = rows[std::move(key)];
      entries.resize(files);
      add(*row, entries[place]);
    }
  }

  void note(std::vector<std::string>& to) const {
    for (std::size_t i = 0; i < unread_.size(); ++i) {
      if (unread_[i] == 0) continue;
      const std::string& title =
          i < frame_.key_columns.size() ? frame_.key_columns[i] : frame_.metric;
      to.push_back(fmt::format("{}: {} of \"{}\" {} no number and {} as missing", from_.path,
                               unread_[i] == 1 ? "1 cell" : fmt::format("{} cells", unread_[i]),
                               title, unread_[i] == 1 ? "is" : "are",
                               unread_[i] == 1 ? "counts" : "count"));
    }
  }

 private:
  compared_cell key_cell(const ifb::json_value& row, std::size_t column) {
    const std::string& title = frame_.key_columns[column];
    const ifb::json_value* const cell = from_.cell(row, title);
    if (is_numeric_info(title)) {
      const auto number = number_in(cell, unread_[column]);
      // 0 and -0 are one key, and have one text.
      return number ? compared_cell(*number == 0 ? 0.0 : *number) : compared_cell();
    }
    return is_missing(cell) ? compared_cell() : compared_cell(pytext::python_text(*cell));
  }

  void add(const ifb::json_value& row, compared_row::entry& to) {
    if (to.name.empty()) to.name = compared_test_name(row);
    const auto value = number_in(from_.cell(row, frame_.metric), unread_.back());
    if (!value) return;
    // The sum until frame_of() divides it.
    to.value = to.value.value_or(0) + *value;
    ++to.averaged;
  }

  const compared_file& from_;
  const compared_frame& frame_;
  std::vector<std::size_t> unread_;  // for each key column, and for the metric
};

}  // namespace

bool cell_less(const compared_cell& a, const compared_cell& b) {
  const auto rank = [](const compared_cell& cell) {
    return std::holds_alternative<double>(cell)        ? 0
           : std::holds_alternative<std::string>(cell) ? 1
                                                       : 2;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a < b;
}

bool key_less(std::span<const compared_cell> a, std::span<const compared_cell> b) {
  return std::ranges::lexicographical_compare(a, b, cell_less);
}

std::string text_of_cell(const compared_cell& cell) {
  if (const auto* const text = std::get_if<std::string>(&cell)) return *text;
  const auto* const number = std::get_if<double>(&cell);
  return number == nullptr ? "nan" : base::whole_or_shortest(*number);
}

std::span<const std::string_view> comparison_info_columns() noexcept { return info_columns; }

bool is_numeric_info(std::string_view title) noexcept {
  return title != "Model" && title != "Dataset Name";
}

std::string_view metric_title(metric_role role, bool medians) noexcept {
  switch (role) {
    case metric_role::throughput: return "Output Tput (tok/s)";
    case metric_role::ttft: return medians ? "Median TTFT (ms)" : "P99 TTFT (ms)";
    case metric_role::tpot: break;
  }
  return medians ? "Median" : "P99";
}

std::optional<std::size_t> compared_frame::place_of(std::string_view title) const {
  const auto at = std::ranges::find(key_columns, title);
  if (at == key_columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - key_columns.begin());
}

std::optional<double> compared_frame::ratio(const compared_row& row, std::size_t file) const {
  const std::optional<double>& base = row.entries.front().value;
  const std::optional<double>& current = row.entries[file].value;
  if (!base || !current || *base == 0) return std::nullopt;
  const double out = role == metric_role::throughput ? *current / *base : *base / *current;
  return std::isnan(out) ? std::nullopt : std::optional(out);
}

compared_frame frame_of(metric_role role, bool medians, std::span<const compared_file> files) {
  compared_frame out;
  out.role = role;
  out.metric = metric_title(role, medians);
  // All files have a concurrency, so the key is never empty.
  for (std::size_t i = 0; i < info_columns.size(); ++i) {
    const std::string_view title = info_columns[i];
    if (!std::ranges::all_of(files, [&](const compared_file& f) { return f.has(title); })) continue;
    out.key_columns.emplace_back(title);
    out.groups += i < group_columns ? 1U : 0U;
  }
  std::map<std::vector<compared_cell>, std::vector<compared_row::entry>, key_order> rows;
  for (std::size_t file = 0; file < files.size(); ++file) {
    out.labels.push_back(files[file].label);
    file_alignment alignment(files[file], out);
    alignment.read(file, files.size(), rows);
    alignment.note(out.notes);
    if (!files[file].has(out.metric))
      out.notes.push_back(files[file].path + " has no column \"" + out.metric + "\"");
  }
  for (auto& [key, entries] : rows) {
    for (compared_row::entry& entry : entries) {
      if (entry.value) *entry.value /= static_cast<double>(entry.averaged);
      // The mean of inf and -inf.
      if (entry.value && std::isnan(*entry.value)) entry.value.reset();
    }
    out.rows.push_back({key, std::move(entries)});
  }
  return out;
}

std::vector<std::vector<compared_cell>> groups_of(std::span<const compared_frame> frames) {
  std::set<std::vector<compared_cell>, key_order> out;
  for (const compared_frame& frame : frames)
    for (const compared_row& row : frame.rows)
      out.emplace(row.key.begin(), row.key.begin() + static_cast<std::ptrdiff_t>(frame.groups));
  return {out.begin(), out.end()};
}

compared_frame part_of(const compared_frame& whole, std::span<const compared_cell> group,
                       std::string_view x_axis) {
  compared_frame out = whole;
  std::erase_if(out.rows, [&](const compared_row& row) {
    return !std::ranges::equal(std::span(row.key).first(whole.groups), group);
  });
  // Rows have different keys, so the order does not depend on the algorithm.
  if (const auto x = whole.place_of(x_axis))
    std::ranges::sort(out.rows, [&](const compared_row& a, const compared_row& b) {
      if (cell_less(a.key[*x], b.key[*x])) return true;
      return !cell_less(b.key[*x], a.key[*x]) && key_less(a.key, b.key);
    });
  return out;
}

}  // namespace inferbench::perf

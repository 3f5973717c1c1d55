#include "plot/figure_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "plot/groups.hpp"
#include "plot/point_origins.hpp"
#include "plot/run_values.hpp"

namespace inferbench::plot {

namespace {

/// A value of a curve key in the order of the legend: numbers, texts, missing values.
struct ordered_value {
  int kind = 2;  // 0: number, 1: text or another value, 2: missing
  double number = 0;
  std::string text;
  auto operator<=>(const ordered_value& other) const {
    if (kind != other.kind) return kind <=> other.kind;
    if (number != other.number)
      return number < other.number ? std::strong_ordering::less : std::strong_ordering::greater;
    return text <=> other.text;
  }
  bool operator==(const ordered_value& other) const { return (*this <=> other) == 0; }
};

/// 1 and 1.0 are the same value; their text is that of the run that comes first.
ordered_value ordered(const base::json_value* value) {
  if (value == nullptr) return {};
  if (const auto number = number_of(value)) return {0, *number, {}};
  return {1, 0, text_of_value(value)};
}

using curve_values = std::vector<ordered_value>;

curve_values values_of(const run_row& row, const std::vector<std::string>& keys) {
  curve_values out;
  for (const std::string& key : keys)
    out.push_back(ordered(value_of(row, key)));
  return out;
}

group_key texts_of(const run_row& row, const std::vector<std::string>& keys) {
  group_key out;
  for (const std::string& key : keys)
    out.emplace_back(key, text_of_value(value_of(row, key)));
  return out;
}

struct drawn_run {
  run_row row;
  double x = 0, y = 0;
  bool unstable = false;
};

/// nullopt: x or y is missing or infinite, so the run is not drawn.
std::optional<drawn_run> drawn(const run_row& row, const figure_spec& spec) {
  drawn_run out;
  out.row = row;
  bool finite = true;
  for (const auto& [name, flag, to] :
       {std::tuple(&spec.x, "--var-x", &out.x), std::tuple(&spec.y, "--var-y", &out.y)}) {
    const base::json_value* const value = value_of(row, *name);
    const auto number = number_of(value);
    if (value != nullptr && !number)
      throw base::error(
          place_of(row) + ": " + *name + " is \"" + text_of_value(value) + "\" and not a number",
          "choose a column of numbers", {flag, 0, 0});
    finite = finite && number && std::isfinite(*number);
    *to = number.value_or(0);
  }
  out.unstable = unstable(row);
  return finite ? std::optional(out) : std::nullopt;
}

/// Whether a run without a completed request has a value: it has no latency and no throughput.
bool counts_requests(const figure_spec& spec) {
  const auto counts = [](const std::string& name) {
    return name == "completed" || name == "failed";
  };
  return counts(spec.x) || counts(spec.y);
}

/// The runs of a facet and a curve with equal x become a point.
std::vector<point> aggregated(std::vector<drawn_run> runs, bool error_bars) {
  std::ranges::stable_sort(runs, {}, &drawn_run::x);
  std::vector<point> out;
  for (auto first = runs.begin(); first != runs.end();) {
    const auto last =
        std::find_if(first, runs.end(), [&](const drawn_run& r) { return r.x != first->x; });
    point p{.x = first->x, .y = 0, .sd = {}, .n = static_cast<std::size_t>(last - first)};
    const auto n = static_cast<double>(p.n);
    for (auto at = first; at != last; ++at) {
      p.y += at->y;
      p.unstable += at->unstable ? 1U : 0U;
    }
    p.y /= n;
    double squares = 0;
    for (auto at = first; at != last; ++at)
      squares += (at->y - p.y) * (at->y - p.y);
    if (error_bars && p.n > 1) p.sd = std::sqrt(squares / (n - 1));
    out.push_back(p);
    first = last;
  }
  return out;
}

/// The curves of one facet while they are collected.
struct open_curve {
  group_key by;
  std::vector<drawn_run> runs;
};
struct open_facet {
  group_key row, column;
  std::map<curve_values, open_curve> curves;  // in the order of the legend
};

/// The place of each value among all values: of each of the first three keys, or, with more than
/// three keys, of each combination.
class curve_ranks {
 public:
  explicit curve_ranks(std::size_t keys) : keys_(keys) {}

  void add(const curve_values& values) {
    if (keys_ > 3) combinations_.try_emplace(values, 0);
    for (std::size_t i = 0; keys_ <= 3 && i < keys_; ++i)
      values_[i].try_emplace(values[i], 0);
  }
  void finish() {
    number(combinations_);
    std::ranges::for_each(values_, [](auto& all) { number(all); });
  }
  [[nodiscard]] std::array<int, 3> of(const curve_values& values) const {
    std::array<int, 3> out{};
    if (keys_ > 3) out[0] = combinations_.at(values);
    for (std::size_t i = 0; keys_ <= 3 && i < keys_; ++i)
      out[i] = values_[i].at(values[i]);
    return out;
  }

 private:
  template <typename map>
  static void number(map& all) {
    int next = 0;
    for (auto& [value, place] : all)
      place = next++;
  }
  std::size_t keys_;
  std::map<curve_values, int> combinations_;
  std::array<std::map<ordered_value, int>, 3> values_;
};

void check_columns(const figure_spec& spec, const std::vector<run_row>& rows) {
  const std::vector<std::string> columns = columns_of(rows);
  require_column(columns, spec.x, "--var-x");
  require_column(columns, spec.y, "--var-y");
  for (const auto& [keys, flag] :
       {std::pair(&spec.row_by, "--row-by"), std::pair(&spec.column_by, "--col-by"),
        std::pair(&spec.curve_by, "--curve-by")})
    for (const std::string& key : *keys)
      require_column(columns, key, flag);
  for (const row_filter& filter : spec.filters)
    require_column(columns, filter.column(), "--filter-by");
  for (const row_binner& binner : spec.binners)
    require_column(columns, binner.column(), "--bin-by");
}

}  // namespace

std::size_t figure_data::points() const noexcept {
  std::size_t out = 0;
  for (const facet& f : facets)
    for (const curve& c : f.curves)
      out += c.points.size();
  return out;
}

figure_data figure_of(const figure_spec& spec, std::vector<run_row> rows) {
  check_columns(spec, rows);
  for (const row_filter& filter : spec.filters)
    rows = filter.passing(rows);
  for (const row_binner& binner : spec.binners)
    binner.apply(rows);

  figure_data out;
  out.x = spec.x;
  out.y = spec.y;
  out.scale_x = spec.scale_x;
  out.scale_y = spec.scale_y;
  std::map<group_key, std::size_t> columns;
  std::map<std::pair<std::size_t, std::size_t>, open_facet> facets;
  curve_ranks ranks(spec.curve_by.size());
  const std::vector<run_group> row_groups = grouped(rows, spec.row_by, "--row-by");
  // The columns are numbered in the order of their first appearance in all rows.
  for (const run_group& column : grouped(rows, spec.column_by, "--col-by"))
    columns.try_emplace(column.key, columns.size());
  for (std::size_t r = 0; r < row_groups.size(); ++r)
    for (const run_group& cell : grouped(row_groups[r].rows, spec.column_by, "--col-by"))
      for (const run_row& row : cell.rows) {
        if (without_completion(row) && !counts_requests(spec)) {
          ++out.uncompleted;
          continue;
        }
        const auto run = drawn(row, spec);
        if (!run) {
          ++out.left_out;
          continue;
        }
        ++out.runs;
        open_facet& to = facets[{r, columns.at(cell.key)}];
        to.row = row_groups[r].key;
        to.column = cell.key;
        const curve_values values = values_of(row, spec.curve_by);
        ranks.add(values);
        open_curve& line = to.curves[values];
        if (line.runs.empty()) line.by = texts_of(row, spec.curve_by);
        line.runs.push_back(*run);
      }
  ranks.finish();
  out.rows = std::max<std::size_t>(row_groups.size(), 1);
  out.columns = std::max<std::size_t>(columns.size(), 1);
  point_origins origins(spec);
  for (auto& [place, open] : facets) {
    facet f{place.first, place.second, std::move(open.row), std::move(open.column), {}};
    for (auto& [values, line] : open.curves) {
      origins.begin_curve();
      for (const drawn_run& run : line.runs)
        origins.add(run.x, run.row);
      f.curves.push_back({std::move(line.by), ranks.of(values),
                          aggregated(std::move(line.runs), spec.error_bars)});
    }
    out.facets.push_back(std::move(f));
  }
  origins.finish(out);
  return out;
}

}  // namespace inferbench::plot

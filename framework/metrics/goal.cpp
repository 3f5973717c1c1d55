#include "metrics/goal.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::metrics {
namespace {

using statistic = goal::statistic;

constexpr std::array statistics_by_name{
    std::pair<std::string_view, statistic>{"mean", statistic::mean},
    std::pair<std::string_view, statistic>{"std", statistic::deviation},
    std::pair<std::string_view, statistic>{"min", statistic::minimum},
    std::pair<std::string_view, statistic>{"max", statistic::maximum}};

/// Units of time with their power of ten, in seconds.
constexpr std::array time_units{
    std::pair<std::string_view, int>{"ns", -9}, std::pair<std::string_view, int>{"us", -6},
    std::pair<std::string_view, int>{"µs", -6}, std::pair<std::string_view, int>{"ms", -3},
    std::pair<std::string_view, int>{"s", 0}};

std::optional<int> power_of(std::string_view unit) {
  const auto* at = std::ranges::find(time_units, unit, &std::pair<std::string_view, int>::first);
  return at == time_units.end() ? std::nullopt : std::optional(at->second);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_summary(const definition& row) { return (row.flags & IFB_METRIC_SUMMARY) != 0; }

/// 200.0 as "200", 0.5 as "0.5".
std::string plain_number(double value) {
  std::string out = base::shortest(value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

/// The text of a user in a message: one line of limited length.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 100;
  const std::string line = base::one_line(text.substr(0, most));
  return '"' + line + (text.size() > most ? "...\"" : "\"");
}

std::optional<double> number_of(std::string_view digits) {
  if (digits.empty() || !is_digit(digits.front())) return std::nullopt;
  if (!std::ranges::all_of(digits, [](char c) { return is_digit(c) || c == '.'; }))
    return std::nullopt;
  return base::parse_float(digits);
}

/// A number of percentile(): "99" in "p99".
std::optional<double> percentile_of(std::string_view name) {
  if (name == "median") return 50.0;
  if (!name.starts_with('p')) return std::nullopt;
  const auto found = number_of(name.substr(1));
  return found && *found <= 100 ? found : std::nullopt;
}

class goal_parser {
 public:
  goal_parser(std::string_view text, definitions figures) : text_(text), figures_(figures) {}

  goal parse() {
    const std::size_t at = text_.find_first_of("<>");
    if (at == std::string_view::npos)
      refuse("it has none of < <= > >=", "write FIGURE.STATISTIC<LIMIT, such as ttft.p99<200ms");
    name(base::trim(text_.substr(0, at)));
    std::string_view rest = text_.substr(at + 1);
    const bool equal = rest.starts_with('=');
    if (equal) rest.remove_prefix(1);
    if (text_[at] == '<')
      out_.rel = equal ? relation::at_most : relation::below;
    else
      out_.rel = equal ? relation::at_least : relation::above;
    limit(base::trim(rest));
    return out_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
    throw base::error(fmt::format("the goal {} cannot be read: {}", quoted(text_), what), remedy);
  }

  const definition* find(std::string_view name) const {
    const auto at = std::ranges::find(figures_, name,
                                      [](const definition& d) { return std::string_view(d.name); });
    return at == figures_.end() ? nullptr : &*at;
  }

  void name(std::string_view given) {
    if (given.empty()) refuse("no figure stands before the relation", example());
    if (take_whole(given) || take_upstreams(given)) return;
    const std::size_t dot = given.find('.');
    const std::string_view figure = given.substr(0, dot);
    out_.figure = find(figure);
    if (out_.figure == nullptr) refuse_figure(given, figure);
    if (dot == std::string_view::npos) {
      refuse(fmt::format("{} has many values, and the goal names no statistic of them", figure),
             fmt::format("write {0}.p99, {0}.mean or another of {1}", figure, known_statistics()));
    }
    const std::string_view of = given.substr(dot + 1);
    if (!is_summary(*out_.figure))
      refuse(fmt::format("{} is a single number without a {}", figure, quoted(of)),
             fmt::format("write {}", figure));
    if (!take_statistic(of))
      refuse(fmt::format("{} is not a statistic of {}", quoted(of), figure),
             fmt::format("use {}", known_statistics()));
  }

  /// A figure that is a single number, by its name.
  bool take_whole(std::string_view given) {
    const definition* found = find(given);
    if (found == nullptr || is_summary(*found)) return false;
    out_.figure = found;
    return true;
  }

  /// The keys of upstream's result files: mean_ttft_ms, median_ttft_ms, std_ttft_ms, p99_ttft_ms.
  bool take_upstreams(std::string_view given) {
    const std::size_t line = given.find('_');
    constexpr std::string_view unit = "_ms";
    if (line == std::string_view::npos || !given.ends_with(unit)) return false;
    if (given.size() < line + 1 + unit.size()) return false;
    const std::string_view of = given.substr(0, line);
    const definition* found = find(given.substr(line + 1, given.size() - line - 1 - unit.size()));
    if (found == nullptr || !is_summary(*found) || !take_statistic(of)) return false;
    out_.figure = found;
    return true;
  }

  bool take_statistic(std::string_view name) {
    if (const auto p = percentile_of(name)) {
      out_.of = statistic::percentile;
      out_.percentile = *p;
      return true;
    }
    const auto* at =
        std::ranges::find(statistics_by_name, name, &std::pair<std::string_view, statistic>::first);
    if (at == statistics_by_name.end()) return false;
    out_.of = at->second;
    return true;
  }

  [[noreturn]] void refuse_figure(std::string_view given, std::string_view figure) const {
    std::vector<std::string> names;
    for (const definition& row : figures_) {
      names.emplace_back(row.name);
      if (!is_summary(row)) continue;
      for (const char* of : {"mean", "median", "std", "p99"})
        names.push_back(fmt::format("{}_{}_ms", of, row.name));
    }
    std::string remedy = base::did_you_mean(figure, names);
    if (remedy.empty()) remedy = base::did_you_mean(given, names);
    if (remedy.empty()) remedy = "docs/run-description.md lists the figures; " + example();
    refuse(fmt::format("{} is not a figure", quoted(figure)), remedy);
  }

  void limit(std::string_view given) {
    if (given.starts_with('<') || given.starts_with('>') || given.starts_with('='))
      refuse(fmt::format("{} is not a relation", quoted(relation_part())), "use <, <=, > or >=");
    std::size_t end = 0;
    while (end < given.size() && (is_digit(given[end]) || given[end] == '.'))
      ++end;
    std::string digits(given.substr(0, end));
    if (!number_of(digits))
      refuse(fmt::format("{} is not a limit of 0 or more", quoted(given)),
             "write a number with its unit, such as 200ms");
    std::int64_t exponent = 0;
    if (end < given.size() && (given[end] == 'e' || given[end] == 'E')) {
      std::size_t to = end + 1;
      if (to < given.size() && (given[to] == '+' || given[to] == '-')) ++to;
      const std::size_t first = to;
      while (to < given.size() && is_digit(given[to]))
        ++to;
      if (to > first) {
        const bool plus = given[end + 1] == '+';
        const auto found =
            base::parse_int(given.substr(end + (plus ? 2 : 1), to - end - (plus ? 2 : 1)));
        constexpr std::int64_t most = 400;
        if (!found || *found > most || *found < -most) refuse_size(given);
        exponent = *found;
        end = to;
      }
    }
    exponent += shift(digits, base::trim(given.substr(end)));
    // The unit moves the exponent of the text, so that 0.007s is exactly 7ms.
    const auto value = base::parse_float(digits + "e" + std::to_string(exponent));
    constexpr double most = 1e18;
    if (!value || !(*value <= most)) refuse_size(given);
    out_.limit = *value;
    if (out_.of == statistic::share && out_.limit > 100)
      refuse("a share is at most 100%", "write " + std::string(out_.figure->name) + "<=1%");
  }

  [[noreturn]] void refuse_size(std::string_view given) const {
    refuse(fmt::format("{} is out of range", quoted(given)), "use a number below 1e18");
  }

  /// The relation with the characters that make it wrong.
  std::string_view relation_part() const {
    const std::size_t at = text_.find_first_of("<>");
    const std::size_t end = text_.find_first_not_of("<>=", at);
    return text_.substr(at, end == std::string_view::npos ? end : end - at);
  }

  /// Checks the unit behind the number; the power of ten that converts the number to the unit of
  /// the figure.
  int shift(std::string_view digits, std::string_view unit) {
    const std::string_view of = out_.figure->unit;
    if (unit.empty() || unit == of) return 0;
    if (const auto to = power_of(of)) {
      if (const auto from = power_of(unit)) return *from - *to;
      refuse(fmt::format("{} after {} is not a unit of time", quoted(unit), digits),
             "use ns, us, ms or s");
    }
    if (unit == "%" && out_.figure->counted != nullptr) {
      out_.of = statistic::share;
      return 0;
    }
    refuse(
        fmt::format("{} after {} is not the unit of {}", quoted(unit), digits, out_.figure->name),
        std::string_view(of) == "1" ? "leave the unit out"
                                    : fmt::format("leave the unit out, or write {}", of));
  }

  static std::string known_statistics() {
    return "mean, median, std, min, max and percentiles p0 to p100, such as p99.9";
  }
  static std::string example() { return "write for example ttft.p99<200ms"; }

  std::string_view text_;
  definitions figures_;
  goal out_;
};

}  // namespace

std::string_view text_of(relation r) noexcept {
  switch (r) {
    case relation::below: return "<";
    case relation::at_most: return "<=";
    case relation::above: return ">";
    case relation::at_least: break;
  }
  return ">=";
}

bool holds(double value, relation r, double limit) noexcept {
  switch (r) {
    case relation::below: return value < limit;
    case relation::at_most: return value <= limit;
    case relation::above: return value > limit;
    case relation::at_least: break;
  }
  return value >= limit;
}

std::string_view goal::unit() const noexcept {
  return of == statistic::share ? std::string_view("%") : std::string_view(figure->unit);
}

std::string goal::statistic_text() const {
  if (of == statistic::value) return "value";
  if (of == statistic::share) return "share";
  if (of == statistic::percentile) return "p" + plain_number(percentile);
  const auto* at =
      std::ranges::find(statistics_by_name, of, &std::pair<std::string_view, statistic>::second);
  return std::string(at->first);
}

std::string goal::text() const {
  const bool whole = of == statistic::value || of == statistic::share;
  const bool shown = unit() == "%" || power_of(unit()).has_value();
  return fmt::format("{}{}{}{}{}{}", figure->name, whole ? "" : ".",
                     whole ? std::string() : statistic_text(), text_of(rel), plain_number(limit),
                     shown ? unit() : std::string_view());
}

goal parse_goal(std::string_view text, definitions figures) {
  return goal_parser(text, figures).parse();
}

}  // namespace inferbench::metrics

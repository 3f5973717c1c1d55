#include "sweep/sla_criteria.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"
#include "sweep/layout.hpp"

namespace inferbench::sweep {

namespace {

using options::node;

// In the order in which they are tested: "<=" before "<".
constexpr std::array<std::pair<std::string_view, comparison_sign>, 4> signs{
    {{"<=", comparison_sign::at_most},
     {">=", comparison_sign::at_least},
     {"<", comparison_sign::below},
     {">", comparison_sign::above}}};

constexpr const char* sets_remedy =
    R"(write [{"p99_ttft_ms": "<=300", "p99_e2el_ms": "<2000"}, {"request_throughput": ">=5"}])";
constexpr const char* sign_remedy = R"(write one of <=, >=, <, > and a number, such as "<=300")";

std::string_view text_of_sign(comparison_sign sign) {
  return std::ranges::find(signs, sign, &std::pair<std::string_view, comparison_sign>::second)
      ->first;
}

// As "{:.2f}" in Python.
std::string two_decimals(double value) {
  std::array<char, 400> out{};  // the largest double has 309 digits before the point
  const int size = std::snprintf(out.data(), out.size(), "%.2f", value);
  return {out.data(), static_cast<std::size_t>(size)};
}

std::string named_key(const std::string& key) {
  return "the criterion of " + pytext::python_repr(key);
}

criterion criterion_of(const std::string& key, const node& given) {
  if (key.empty())
    throw base::error("a key is empty", "write a numeric field of the benchmark's result",
                      given.where);
  if (!given.is(node::kind::text))
    throw base::error(
        named_key(key) + " should be a text, not " + std::string(options::noun_of(given)),
        sign_remedy, given.where);
  const std::string_view text = given.text;
  const auto sign =
      std::ranges::find_if(signs, [&](const auto& each) { return text.starts_with(each.first); });
  if (sign == signs.end())
    throw base::error(
        named_key(key) + " has no valid operator in front: " + pytext::python_repr(text),
        sign_remedy, given.where);
  const auto limit = pytext::python_float(text.substr(sign->first.size()));
  if (!limit)
    throw base::error(named_key(key) + " has no number behind " + std::string(sign->first) + ": " +
                          pytext::python_repr(text),
                      sign_remedy, given.where);
  if (std::isnan(*limit))
    throw base::error(named_key(key) + " compares with nan, which no value satisfies",
                      "write a number", given.where);
  return {key, sign->second, *limit};
}

sla_set set_of(const node& given, std::size_t number) {
  if (!given.is(node::kind::table))
    throw base::error("should be a list of dictionaries: element " + std::to_string(number) +
                          " is " + std::string(options::noun_of(given)),
                      sets_remedy, given.where);
  if (given.items.empty())
    throw base::error("element " + std::to_string(number) + " has no criterion", sets_remedy,
                      given.where);
  sla_set out;
  for (std::size_t i = 0; i < given.items.size(); ++i)
    out.push_back(criterion_of(given.names[i], given.items[i]));
  return out;
}

/// Says how many requests of the level failed: the latencies are those of the other requests.
void tell_failed(const std::vector<run_object>& runs, const tell_line& tell) {
  double failed = 0;
  for (const run_object& run : runs)
    failed += failed_requests(*run);
  if (failed > 0)
    tell("Requests that failed at this level: " + fmt::format("{:.0f}", failed) +
         "; the latencies are those of the others.");
}

/// " in 1 of 2 runs" if some of the runs completed no request, "" if all, nullopt if none.
std::optional<std::string> runs_without_requests(const std::vector<run_object>& runs) {
  const auto count =
      std::ranges::count_if(runs, [](const run_object& run) { return completed_nothing(*run); });
  if (count == 0) return std::nullopt;
  if (static_cast<std::size_t>(count) == runs.size()) return "";
  return " in " + std::to_string(count) + " of " + std::to_string(runs.size()) + " runs";
}

}  // namespace

std::string criterion::text() const {
  return key + std::string(text_of_sign(sign)) + two_decimals(limit);
}

std::string criterion::text_with(double value) const {
  return key + " = " + two_decimals(value) + std::string(text_of_sign(sign)) + two_decimals(limit);
}

std::string criterion::goal() const { return key + fmt::format("{}{}", text_of_sign(sign), limit); }

double criterion::margin(double value) const {
  if (std::isnan(value)) return std::numeric_limits<double>::infinity();
  constexpr double strict = 1e-8;
  const bool open = sign == comparison_sign::below || sign == comparison_sign::above;
  // The difference of two infinite numbers is not a number, and 1e-8 vanishes in large numbers.
  if (value == limit) return open ? strict : 0;
  const bool upper = sign == comparison_sign::at_most || sign == comparison_sign::below;
  const double larger = upper ? value : limit;
  const double smaller = upper ? limit : value;
  return (open ? larger + strict : larger) - smaller;
}

std::string text_of(const sla_set& set, const std::string& separator) {
  return fmt::format("{}", fmt::join(set | std::views::transform(&criterion::text), separator));
}

std::string sla_file(const sla_set& set) {
  return sanitised("SLA--" + text_of(set, "-")) + ".json";
}

double validated_margin(const sla_set& set, const std::vector<run_object>& runs,
                        const tell_line& tell) {
  const std::optional<std::string> without = runs_without_requests(runs);
  if (!without || !without->empty()) tell_failed(runs, tell);
  if (without) {
    tell("Validating SLA: no request was completed" + *without + " | FAILED");
    return std::numeric_limits<double>::infinity();
  }
  double worst = -std::numeric_limits<double>::infinity();
  std::vector<double> means;
  for (const criterion& each : set)
    means.push_back(mean_of(runs, each.key));
  for (std::size_t i = 0; i < set.size(); ++i) {
    const double margin = set[i].margin(means[i]);
    tell("Validating SLA: " + set[i].text_with(means[i]) +
         (margin <= 0 ? " | PASSED" : " | FAILED"));
    worst = std::max(worst, margin);
  }
  return worst;
}

std::vector<sla_set> parse_sla_sets(std::string_view text, const std::string& file) {
  const node root = pytext::read_json_node(text, file);
  if (!root.is(node::kind::list))
    throw base::error(
        "should be a list of dictionaries, not " +
            std::string(root.is(node::kind::table) ? "a dictionary" : options::noun_of(root)),
        sets_remedy, root.where);
  if (root.items.empty())
    throw base::error("the list has no set of criteria", sets_remedy, root.where);
  std::vector<sla_set> out;
  std::map<std::string, std::uint32_t> lines;  // of the sets, by the name of their file
  for (const node& each : root.items) {
    out.push_back(set_of(each, out.size() + 1));
    const auto [at, added] = lines.emplace(sla_file(out.back()), each.where.line);
    if (!added)
      throw base::error(
          "the set in line " + std::to_string(at->second) +
              " has the same criteria to two decimals, so the results of both would be "
              "one file: " +
              at->first,
          "remove this set", each.where);
  }
  return out;
}

std::vector<sla_set> read_sla_sets(const std::string& path) {
  return parse_sla_sets(base::read_file(path), path);
}

}  // namespace inferbench::sweep

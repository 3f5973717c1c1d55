#include "plot/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/parameters.hpp"
#include "plot/run_values.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::plot {

namespace {

/// A number, also one that is written as a text; nullopt for a key that is missing or null.
std::optional<double> pareto_number(const run_row& row, const std::string& key) {
  const base::json_value* const value = value_of_any_spelling(row, key);
  if (value == nullptr || value->IsNull()) return std::nullopt;
  auto number = number_of(value);
  if (!number && value->IsString()) number = pytext::python_float(base::text_of(value));
  if (!number)
    throw base::error(place_of(row) + ": " + key + " is \"" + text_of_value(value) +
                      "\" and not a number");
  return number;
}

/// The same, with NaN and 0 as missing, as in Python's `or`.
std::optional<double> counted(const run_row& row, const std::string& key) {
  const auto number = pareto_number(row, key);
  return number && *number != 0 && !std::isnan(*number) ? number : std::nullopt;
}

struct user_count {
  double number = 0;
  bool peak = false;
};

std::optional<user_count> users_of(const run_row& row, const std::string& var) {
  std::optional<double> out;
  for (const std::string& key : {var, std::string("request_rate")})
    if (value_of_any_spelling(row, key) != nullptr) {
      out = counted(row, key);
      break;
    }
  if (out && std::isfinite(*out)) return user_count{*out};
  // A rate without a limit is no number of users: the largest number of requests at once is.
  if (const auto at_once = counted(row, "max_concurrent_requests"))
    return user_count{*at_once, true};
  return out ? std::optional(user_count{*out}) : std::nullopt;
}

double gpus_of(const run_row& row, const std::string& var) {
  if (!var.empty())
    if (const auto given = counted(row, var)) return *given;
  for (const char* key : {"num_gpus", "gpu_count"})
    if (const auto given = counted(row, key)) return *given;
  double out = 1;
  using spellings = std::initializer_list<const char*>;
  for (const spellings keys :
       {spellings{"tensor_parallel_size", "tp"}, spellings{"pipeline_parallel_size", "pp"},
        spellings{"data_parallel_size", "dp"}})
    for (const char* key : keys)
      if (const auto size = counted(row, key)) {
        out *= *size;
        break;
      }
  return out;
}

double throughput_of(const run_row& row) {
  if (const auto out = pareto_number(row, "output_throughput")) return *out;
  std::string keys;
  for (const std::string& name : columns_of({&row, 1}))
    keys += (keys.empty() ? "" : ", ") + name;
  throw base::error(place_of(row) + " has no output_throughput; its keys: " + keys);
}

std::string label_of(const pareto_point& p, const std::vector<std::string>& keys) {
  std::string out;
  const auto line = [&](const std::string& key, const std::string& value) {
    out += (out.empty() ? "" : "\n") + key + "=" + value;
  };
  for (const std::string& key : keys)
    if (key == "tokens_per_user")
      line(key, base::shortest(p.tokens_per_user));
    else if (key == "tokens_per_gpu")
      line(key, base::shortest(p.tokens_per_gpu));
    else if (key == "user_count_estimate")
      line(key, base::shortest(p.users));
    else if (key == "gpu_count")
      line(key, base::shortest(p.gpus));
    else if (const base::json_value* const value = value_of_any_spelling(p.row, key))
      line(key, text_of_value(value));
  return out;
}

/// Nullopt: the run has no number of users.
std::optional<pareto_point> point_of(const pareto_spec& spec, const run_row& row) {
  pareto_point out;
  out.row = row;
  const double throughput = throughput_of(row);
  const auto users = users_of(row, spec.user_count_var);
  if (!users) return std::nullopt;
  out.users = users->number;
  out.peak = users->peak;
  out.gpus = gpus_of(row, spec.gpu_count_var);
  out.tokens_per_user = throughput / out.users;
  out.tokens_per_gpu = throughput / out.gpus;
  for (const double value : {out.users, out.gpus, throughput})
    if (value < 0 || std::isnan(value))
      throw base::error(place_of(row) +
                        ": users, GPUs and output_throughput must not be negative or NaN");
  if (spec.gpu_price_per_hour && throughput > 0)
    out.cost = *spec.gpu_price_per_hour * out.gpus / 3600 / throughput * 1e6;
  out.unstable = unstable(row);
  return out;
}

std::vector<std::string> label_keys(const pareto_spec& spec, std::span<const pareto_point> points) {
  constexpr const char* name_key = "_benchmark_name";
  std::vector<std::string> out = spec.label_by;
  if (spec.labels_given || points.empty()) return out;
  const auto name_of = [&](const pareto_point& p) {
    return text_of_value(value_of(p.row, name_key));
  };
  if (std::ranges::any_of(points, [&, first = name_of(points.front())](const pareto_point& p) {
        return name_of(p) != first;
      }))
    out.insert(out.begin(), name_key);
  return out;
}

/// The parameters, other than those of the labels, in which combinations with one label differ.
std::vector<std::string> unlabelled_keys(const pareto_data& data) {
  std::map<std::string, std::vector<run_row>> of_label;
  for (const pareto_point& p : data.points)
    of_label[p.label].push_back(p.row);
  std::vector<std::string> out;
  for (const auto& [label, rows] : of_label) {
    const auto other = [&, first = rows.front().file](const run_row& r) { return r.file != first; };
    if (std::ranges::none_of(rows, other)) continue;
    for (std::string& key : differing_parameters(rows))
      if (std::ranges::find(out, key) == out.end()) out.push_back(std::move(key));
  }
  return out;
}

void add_labels(const pareto_spec& spec, pareto_data& to) {
  to.labels = label_keys(spec, to.points);
  for (pareto_point& p : to.points)
    p.label = label_of(p, to.labels);
  if (!to.labels.empty()) to.unlabelled = unlabelled_keys(to);
  for (pareto_point& p : to.points)
    if (p.cost)
      p.label +=
          fmt::format("{}cost_per_million_tokens={:.4g}", p.label.empty() ? "" : "\n", *p.cost);
}

}  // namespace

std::vector<std::size_t> frontier_of(std::span<const pareto_point> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const pareto_point& left = points[a];
    const pareto_point& right = points[b];
    if (left.tokens_per_user != right.tokens_per_user)
      return left.tokens_per_user > right.tokens_per_user;
    return left.tokens_per_gpu > right.tokens_per_gpu;
  });
  std::vector<std::size_t> out;
  for (const std::size_t at : order) {
    const pareto_point& p = points[at];
    const bool best = out.empty() || p.tokens_per_gpu > points[out.back()].tokens_per_gpu;
    const bool duplicate = !out.empty() && p.tokens_per_gpu == points[out.back()].tokens_per_gpu &&
                           p.tokens_per_user == points[out.back()].tokens_per_user;
    if (best || duplicate) out.push_back(at);
  }
  return out;
}

pareto_data pareto_of(const pareto_spec& spec, std::span<const run_row> rows) {
  pareto_data out;
  for (const run_row& row : rows)
    if (without_completion(row))
      ++out.uncompleted;
    else if (auto p = point_of(spec, row))
      out.points.push_back(*std::move(p));
    else
      ++out.skipped;
  if (rows.empty()) throw base::error("the summary.json files have no run");
  if (out.uncompleted == rows.size())
    throw base::error(fmt::format("none of the {} runs completed a request", rows.size()));
  if (out.points.empty())
    throw base::error(fmt::format("none of the {} runs has a number of users", rows.size()),
                      "name the key that has it with --user-count-var");
  add_labels(spec, out);
  out.frontier = frontier_of(out.points);
  std::ranges::reverse(out.frontier);
  return out;
}

}  // namespace inferbench::plot

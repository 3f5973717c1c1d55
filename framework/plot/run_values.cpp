#include "plot/run_values.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::plot {

namespace {

bool is_nan(const base::json_value& value) {
  return value.IsDouble() && std::isnan(value.GetDouble());
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// A request rate above the served rate by this factor is more than the noise of a short run.
constexpr double offered_over_served = 1.05;

}  // namespace

const base::json_value* value_of(const run_row& row, std::string_view key) {
  const base::json_value* const found = base::find(row.object, key);
  return found == nullptr || found->IsNull() || is_nan(*found) ? nullptr : found;
}

const base::json_value* value_of_any_spelling(const run_row& row, std::string_view key) {
  std::string dashes(key);
  std::ranges::replace(dashes, '_', '-');
  std::string underscores(key);
  std::ranges::replace(underscores, '-', '_');
  for (const std::string_view spelling :
       {key, std::string_view(dashes), std::string_view(underscores)})
    if (const base::json_value* const found = base::find(row.object, spelling)) return found;
  return nullptr;
}

std::optional<double> number_of(const base::json_value* value) noexcept {
  if (value == nullptr) return std::nullopt;
  if (value->IsBool()) return value->GetBool() ? 1.0 : 0.0;
  if (value->IsNumber()) return value->GetDouble();
  return std::nullopt;
}

std::string text_of_value(const base::json_value* value) {
  return value == nullptr ? "None" : pytext::python_text(*value);
}

std::vector<std::string> columns_of(std::span<const run_row> rows) {
  std::vector<std::string> out;
  std::unordered_set<std::string> seen;
  for (const run_row& row : rows)
    for (const auto& member : row.object->GetObject())
      if (std::string name(base::text_of(&member.name)); seen.insert(name).second)
        out.push_back(std::move(name));
  return out;
}

void require_column(const std::vector<std::string>& columns, const std::string& key,
                    const std::string& flag) {
  if (std::ranges::find(columns, key) != columns.end()) return;
  const std::string meant = base::did_you_mean(key, columns);
  throw base::error(
      "no run has the column \"" + key + "\"",
      (meant.empty() ? "available" : meant + " Available") + " columns: " + joined(columns),
      {flag, 0, 0});
}

bool unstable(const run_row& row) {
  const auto offered = number_of(value_of(row, "request_rate"));
  const auto served = number_of(value_of(row, "request_throughput"));
  return offered && served && std::isfinite(*offered) && *offered > offered_over_served * *served;
}

bool without_completion(const run_row& row) { return number_of(value_of(row, "completed")) == 0.0; }

std::string place_of(const run_row& row) {
  return *row.file + ": run " + std::to_string(row.number);
}

}  // namespace inferbench::plot

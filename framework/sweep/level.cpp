#include "sweep/level.hpp"

#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::sweep {

namespace {

// Python's float(): true and false are numbers, too.
std::optional<double> number_in(const ifb::json_value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->IsNumber()) return value->GetDouble();
  if (value->IsBool()) return value->GetBool() ? 1 : 0;
  if (value->IsString()) return pytext::python_float(ifb::text_of(value));
  return std::nullopt;
}

std::string numeric_fields(const ifb::json_value& run) {
  std::string out;
  for (auto at = run.MemberBegin(); at != run.MemberEnd(); ++at)
    if (!at->value.IsBool() && number_in(&at->value))
      out += (out.empty() ? "" : ", ") + base::one_line(ifb::text_of(&at->name));
  return out;
}

/// The remedy for "p90_ttft_ms": results have P99 only, unless the benchmark is told otherwise.
std::string percentile_remedy(const std::string& key) {
  if (!key.starts_with('p')) return {};
  const std::size_t end = key.find_first_not_of("0123456789.", 1);
  if (end == 1 || end == std::string::npos || key[end] != '_') return {};
  const std::string percentile = key.substr(1, end - 1);
  if (percentile == "99") return {};
  return "add --metric-percentiles " + percentile + ",99 to the benchmark's command; ";
}

double field_of(const run_object& run, std::size_t index, const std::string& key) {
  const ifb::json_value* const given = ifb::find(*run, key);
  if (const auto value = number_in(given)) return *value;
  const std::string others = run->IsObject() ? numeric_fields(*run) : "";
  throw base::error(
      "the result of run " + std::to_string(index) + " has " +
          (given == nullptr ? "no field \"" + base::one_line(key) + "\""
                            : "no number in the field \"" + base::one_line(key) + "\""),
      others.empty() ? "the result has no numeric field; check the benchmark's command"
                     : percentile_remedy(key) + "its numeric fields are " + others);
}

void require_runs(const std::vector<run_object>& runs) {
  if (runs.empty())
    throw base::error("no run of this level succeeded, so the search cannot go on",
                      "read the errors of the benchmark above");
}

}  // namespace

double mean_of(const std::vector<run_object>& runs, const std::string& key) {
  require_runs(runs);
  double sum = 0;
  for (std::size_t i = 0; i < runs.size(); ++i)
    sum += field_of(runs[i], i, key);
  return sum / static_cast<double>(runs.size());
}

double carried_load(const std::vector<run_object>& runs, const std::string& variable) {
  require_runs(runs);
  double sum = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double throughput = field_of(runs[i], i, "request_throughput");
    sum += variable == "max_concurrency" ? throughput * field_of(runs[i], i, "mean_e2el_ms") / 1000
                                         : throughput;
  }
  const double mean = sum / static_cast<double>(runs.size());
  constexpr double largest = 1e15;  // whole numbers up to here are exact
  if (!(std::abs(mean) <= largest))
    throw base::error("the load that the server carried is " + base::shortest(mean) +
                          ", from which no " + variable + " follows",
                      "check request_throughput and mean_e2el_ms in the results");
  return mean;
}

bool completed_nothing(const ifb::json_value& run) {
  const ifb::json_value* const completed = ifb::find(run, "completed");
  return completed != nullptr && completed->IsNumber() && completed->GetDouble() == 0;
}

double failed_requests(const ifb::json_value& run) {
  const ifb::json_value* const failed = ifb::find(run, "failed");
  return failed != nullptr && failed->IsNumber() ? failed->GetDouble() : 0;
}

std::string level_piece(const std::string& variable, std::int64_t level) {
  return variable + "=" + std::to_string(level);
}

}  // namespace inferbench::sweep

// The criteria of `sweep serve_sla`: what a level must satisfy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/level.hpp"

namespace inferbench::sweep {

enum class comparison_sign : std::uint8_t { at_most, at_least, below, above };  // <= >= < >

struct criterion {
  std::string key;  // a numeric field of the benchmark's result
  comparison_sign sign = comparison_sign::at_most;
  double limit = 0;

  /// "p99_ttft_ms<=300.00"; `value` in front of the sign: "p99_ttft_ms = 123.45<=300.00".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string text_with(double value) const;
  /// The criterion as a goal of `inferbench find`, with all digits of the limit:
  /// "p99_ttft_ms<=300".
  [[nodiscard]] std::string goal() const;
  /// At most 0 if `value` satisfies the criterion: value - limit for <=, limit - value for >=; 1e-8
  /// is added for < and >. Infinite if `value` is not a number.
  [[nodiscard]] double margin(double value) const;
};

/// Criteria that must hold together; at least one.
using sla_set = std::vector<criterion>;

/// The criteria's texts, joined.
[[nodiscard]] std::string text_of(const sla_set& set, const std::string& separator);

/// The name of the file with the result of a search: "SLA--p99_ttft_ms<=300.00.json".
[[nodiscard]] std::string sla_file(const sla_set& set);

/// The largest margin of the criteria, each with the mean over the runs. Prints a line for each:
/// "Validating SLA: p99_ttft_ms = 123.45<=300.00 | PASSED". Infinite if a run completed no request
/// (completed_nothing()), whatever the criteria are. A line says how many requests failed. Throws
/// base::error like mean_of().
[[nodiscard]] double validated_margin(const sla_set& set, const std::vector<run_object>& runs,
                                      const tell_line& tell);

/// The sets of a file (--sla-params): a list of objects, each with a text such as "<=300" for each
/// key. Throws base::error with file, line, column and key for a file that cannot be read,
/// malformed JSON, another form, a criterion that cannot be read, a list without sets, an object
/// without criteria, and for two sets with one file name.
[[nodiscard]] std::vector<sla_set> read_sla_sets(const std::string& path);

/// The sets of the text of such a file. `file`: its name for messages.
[[nodiscard]] std::vector<sla_set> parse_sla_sets(std::string_view text, const std::string& file);

}  // namespace inferbench::sweep

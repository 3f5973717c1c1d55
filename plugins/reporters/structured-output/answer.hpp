// A request of the result file, beyond the rows that all result files have: the expected answer,
// the score and the structure. The attributes of the record have them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include <inferbench/abi.h>

#include "reporters/common/rows.hpp"

namespace structured_output {

struct answer {
  reporters::row row;  // with its detail
  std::optional<std::string> expected;
  std::optional<double> score;  // 0 to 1; nullopt: the answer was not scored
  std::string schema;
  bool constrained = false;
};

/// `started_ns`: ifb_run.started_ns.
[[nodiscard]] answer answer_of(const ifb_record& record, std::uint64_t started_ns);

/// The mean score in per cent, of the answers that have a score; nullopt if none has.
[[nodiscard]] std::optional<double> correct_rate(const std::deque<answer>& all);

/// Appends an element of `outputs` at the second level of the file. `details`: with the schema and
/// whether the structure was demanded.
void append_output(std::string& out, const answer& of, bool details);

/// Seconds per token after the first; 0 if the request failed or has at most one token.
[[nodiscard]] double time_per_token(const answer& of);

}  // namespace structured_output

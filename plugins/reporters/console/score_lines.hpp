// The lines about the scores of the answers (--scorer).
#pragma once

#include <string>

#include <inferbench/json_reader.hpp>

namespace reporters {

/// The lines for the fact "scores", with line feeds: the rate of correct answers with its interval,
/// and the most frequent reasons for a score below 1. Empty without a scorer.
[[nodiscard]] std::string score_lines(const ifb::json_value& facts);

}  // namespace reporters

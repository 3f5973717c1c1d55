// A sentence about the requests of a serving benchmark that failed: the row of its result has no
// column for them. Pure function.
#pragma once

#include <optional>
#include <string>

#include <inferbench/json_reader.hpp>

namespace inferbench::perf {

/// "2 of 6 requests failed: the row has the figures of the others", from the members `failed` and
/// `completed` of the result; nullopt if no request failed, or if the result does not say that any
/// did. A result without a completed request has a sentence also if it does not count the failures.
[[nodiscard]] std::optional<std::string> failed_requests_text(const ifb::json_value& result);

}  // namespace inferbench::perf

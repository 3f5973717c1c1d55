// The kit's own answers in the format of OpenAI's servers. They are for codecs without recorded
// answers, and for tests that cut, truncate and mangle answers.
#pragma once

#include <string>
#include <vector>

#include "check/player.hpp"

namespace inferbench::check {

/// Answers of the completions, chat and responses APIs, and one answer that is a whole JSON object.
[[nodiscard]] const std::vector<answer>& minimal_answers();

/// `event` (may be empty) and `data` as one server-sent event.
[[nodiscard]] std::string as_event(std::string_view event, std::string_view data);

}  // namespace inferbench::check

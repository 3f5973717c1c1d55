// The kit's own answers, in the form of OpenAI's servers: for codecs without recorded answers,
// and as raw material to cut, truncate and mangle.
#pragma once

#include <string>
#include <vector>

#include "check/player.hpp"

namespace inferbench::check {

/// Completions, chat, responses and one whole JSON object.
[[nodiscard]] const std::vector<answer>& minimal_answers();

/// `event` (may be empty) and `data` as one server-sent event.
[[nodiscard]] std::string as_event(std::string_view event, std::string_view data);

}  // namespace inferbench::check

// The file of the figures of each request.
#pragma once

#include <span>
#include <string>

#include "turn_request.hpp"

namespace multi_turn {

/// A JSON list of objects with an indentation of 2 blanks, as json.dump(records, indent=2) writes
/// it. Pure.
[[nodiscard]] std::string requests_json(std::span<const turn_request> requests);

}  // namespace multi_turn

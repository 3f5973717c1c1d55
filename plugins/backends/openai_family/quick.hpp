// Reads the usual event in one pass (quick_walk.hpp) for event_handler.
#pragma once

#include <string_view>

#include "event_handler.hpp"
#include "hole_list.hpp"

namespace openai::reading {

/// False: the event is malformed or unusual, RapidJSON has to read it, and the values that
/// `collect` has taken are invalid.
/// True: RapidJSON would have accepted the event and taken the same values. The views point into
/// `data` or to `spare`, where `data.size()` bytes must be free. `holes` are the holes of `data`.
/// `data` must not begin or end with white space.
[[nodiscard]] bool read_quickly(std::string_view data, char* spare, event_handler& collect,
                                hole_list& holes);

}  // namespace openai::reading

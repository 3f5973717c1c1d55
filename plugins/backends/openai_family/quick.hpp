// The usual event in one pass (quick_walk.hpp), for the collector.
#pragma once

#include <string_view>

#include "event_handler.hpp"
#include "hole_list.hpp"

namespace openai::reading {

/// False: this event is malformed or unusual, RapidJSON has to read it, and what
/// `collect` has taken until then counts for nothing. True: RapidJSON would accept it
/// and the same has been collected; views point into `data` or to `spare`, where
/// `data.size()` bytes must be free, and `holes` are those of `data`. `data` begins and
/// ends with no blank.
[[nodiscard]] bool read_quickly(std::string_view data, char* spare, event_handler& collect,
                                hole_list& holes);

}  // namespace openai::reading

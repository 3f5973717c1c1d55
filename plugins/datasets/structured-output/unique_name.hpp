// The name of the property that makes a schema unique.
#pragma once

#include <cstdint>
#include <string>

namespace structured {

/// Returns "__optional_field_" with a random UUID (version 4, RFC 9562), which depends on the seed
/// and on the number of the row alone. Pure function; any thread.
[[nodiscard]] std::string unique_name(std::uint64_t seed, std::uint64_t row);

}  // namespace structured

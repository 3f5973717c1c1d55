// The command that makes a run again, from the flags in its description.
#pragma once

#include <string>

#include "json_value.hpp"

namespace reporters {

/// Returns "inferbench serve --model m --save-result ..." for the object `flags` of flags_of(),
/// with quotes for a shell where a value needs them. Secrets are already replaced by "(cut)".
/// Returns an empty text if there are no flags, as in journals of older versions.
[[nodiscard]] std::string command_text(const json_value& flags);

}  // namespace reporters

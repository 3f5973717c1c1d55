// --set TABLE.KEY=VALUE of `run`: keys of the file, overridden on the line.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace inferbench::config {

/// The setting of one --set, not yet checked. Throws usage_error if it is not TABLE.KEY=VALUE.
[[nodiscard]] setting setting_of_text(const std::string& text);

/// Checks the paths of all --set in `from.line`. Call it when the plugins in use are known, since
/// their keys count, too. A part of a JSON key ("backend.extra-body.a") becomes a value that is
/// merged into the file's value. Throws usage_error for an unknown path, with the nearest known
/// path.
void resolve_sets(sources& from, const used_plugins& used,
                  const std::vector<options::option>& keys);

}  // namespace inferbench::config

// The flag --set TABLE.KEY=VALUE of `run`, which overrides a key of the file on the command line.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace inferbench::config {

/// The setting of one --set; its path and value are not checked yet. Throws usage_error if the text
/// does not have the form TABLE.KEY=VALUE.
[[nodiscard]] setting setting_of_text(const std::string& text);

/// Checks the paths of all --set in `from.line`. Call this when the plugins in use are known,
/// because the path may be an option of a plugin. A path to a member of a JSON key
/// ("backend.extra-body.a") is allowed: the value is merged into the file's value. Throws
/// usage_error for an unknown path, with the nearest known path.
void resolve_sets(sources& from, const used_plugins& used,
                  const std::vector<options::option>& keys);

}  // namespace inferbench::config

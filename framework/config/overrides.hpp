// --set TABLE.KEY=VALUE of `run`: keys of the file, overridden on the line.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"

namespace inferbench::config {

/// One --set as something said, not yet checked. Throws base::error when it has another form.
[[nodiscard]] setting setting_of_text(const std::string& text);

/// Checks the paths of all --set in `from.line`, once it is known which plugins are used, since
/// their keys count too; a part of a JSON key ("backend.extra-body.a") becomes a value that is laid
/// over the file's. Throws base::error for an unknown path, with the nearest one.
void resolve_sets(sources& from, const used_plugins& used,
                  const std::vector<options::option>& keys);

}  // namespace inferbench::config

// Makes the plan from the settings and the plugins. This is the last place that can refuse a
// configuration before a socket is opened.
#pragma once

#include <string>
#include <vector>

#include "config/plan.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Throws base::error if a value does not fit its declaration, if a required option is missing, or
/// if the plugin in use cannot take a general flag. Adds a warning to `warnings` for each setting
/// without effect.
[[nodiscard]] plan build_plan(const sources& from, const used_plugins& used,
                              const options::environment& env,
                              const std::vector<options::option>& keys,
                              std::vector<std::string>& warnings);

}  // namespace inferbench::config

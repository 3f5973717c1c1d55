// Makes the plan from sources and plugins. This is the last place that can refuse configuration
// before a socket is opened.
#pragma once

#include <string>
#include <vector>

#include "config/plan.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Throws base::error: a value that its declaration refuses, a required option that is missing, a
/// general flag that the plugin in use cannot take. Adds a warning to `warnings` for each setting
/// without effect.
[[nodiscard]] plan build_plan(const sources& from, const used_plugins& used,
                              const options::environment& env,
                              const std::vector<options::option>& keys,
                              std::vector<std::string>& warnings);

}  // namespace inferbench::config

// What no single key can tell: values that go together, and those that have no effect.
// The same rules for flags and files, before anything is loaded that takes time.
#pragma once

#include <string>
#include <vector>

#include "config/key_values.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Throws base::error at the value that is in the way. Adds to `warnings` what was given and
/// has no effect. `values` are checked and derived (derive.hpp).
void check_rules(const key_values& values, const sources& from, const used_plugins& used,
                 const options::environment& env, std::vector<std::string>& warnings);

}  // namespace inferbench::config

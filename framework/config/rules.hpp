// Rules about several keys: values that exclude each other, and values that have no effect. The
// rules are the same for flags and files. They are checked before slow steps, such as loading a
// tokenizer.
#pragma once

#include <string>
#include <vector>

#include "config/key_values.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Throws base::error, with the position of the value, if a value breaks a rule. Adds a warning to
/// `warnings` for each setting without effect. Call this after derive() has changed `values`.
void check_rules(const key_values& values, const sources& from, const used_plugins& used,
                 const options::environment& env, std::vector<std::string>& warnings);

}  // namespace inferbench::config

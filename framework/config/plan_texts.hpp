// The part of the plan that shows the configuration as texts, and the plugins with the values of
// their options, which the texts contain.
#pragma once

#include <vector>

#include "config/key_values.hpp"
#include "config/plan.hpp"
#include "config/settings.hpp"
#include "options/environment.hpp"
#include "options/option.hpp"

namespace inferbench::config {

/// Fills the plugins (out.backend, dataset, tokenizer, tokenizers_after, scorer, reporters) and the
/// texts for --print-config and results (out.toml, toml_with_places, json, flags). `values`: the
/// final values of all keys. Throws base::error if a plugin's option has a value that its
/// declaration refuses, or is required and has none.
void fill_texts(plan& out, const key_values& values, const sources& from, const used_plugins& used,
                const options::environment& env, const std::vector<options::option>& keys);

}  // namespace inferbench::config

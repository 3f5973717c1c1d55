// Values that follow from several keys together, or from a key and the plugin in use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/key_values.hpp"

namespace inferbench::config {

/// Changes `values`: puts sampling flags into extra-body, chooses the metrics by the task, and sets
/// ignore-eos for synthetic prompts. Adds a warning to `warnings` for each setting without effect.
/// Throws base::error, for example for a general flag for which the plugin in use has no option.
void derive(key_values& values, const sources& from, const used_plugins& used,
            const options::environment& env, const std::vector<options::option>& keys,
            std::vector<std::string>& warnings);

/// The member `flags` of the ifb_http_codec of the backend in use; 0 if the backend has another
/// interface, or if the command has no backend.
[[nodiscard]] std::uint32_t codec_flags(const used_plugins& used);

}  // namespace inferbench::config

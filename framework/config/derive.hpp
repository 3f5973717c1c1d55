// Values that follow from several keys together, or from a key and the plugin in use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/key_values.hpp"

namespace inferbench::config {

/// Refuses general flags that the plugin in use has no option for, puts sampling flags into
/// extra-body, chooses the metrics by the task, and sets ignore-eos for synthetic prompts. Changes
/// `values`; adds a warning to `warnings` for each setting without effect. Throws base::error.
void derive(key_values& values, const sources& from, const used_plugins& used,
            const options::environment& env, const std::vector<options::option>& keys,
            std::vector<std::string>& warnings);

/// ifb_http_codec.flags of the backend in use; 0 if the backend has another interface.
[[nodiscard]] std::uint32_t codec_flags(const used_plugins& used);

}  // namespace inferbench::config

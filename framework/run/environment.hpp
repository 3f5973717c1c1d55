// Where a result comes from: machine, program and the plugins that took part, as the
// object environment_json that every result carries.
#pragma once

#include <span>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// {"inferbench": {"version", "compiler"}, "machine": {...}, "plugins": [{"kind", "id",
/// "version", "file", "sha256", "sdk"}]}. What the system does not tell is left out.
[[nodiscard]] std::string environment_json(std::span<const options::plugin_choice* const> plugins);

}  // namespace inferbench::run

// Describes the origin of a result: the machine, the program and the plugins of the run, as the
// JSON object environment_json that every result contains.
#pragma once

#include <span>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// The object is {"inferbench": {"version", "compiler"}, "machine": {...}, "plugins": [{"kind",
/// "id", "version", "file", "sha256", "sdk"}]}. Values that the system does not provide are left
/// out.
[[nodiscard]] std::string environment_json(std::span<const options::plugin_choice* const> plugins);

}  // namespace inferbench::run

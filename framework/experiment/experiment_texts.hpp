// Sentences to the user at the end of an experiment.
#pragma once

#include <cstddef>
#include <string>

#include "sweep/request.hpp"

namespace inferbench::experiment {

/// The advice that continues the experiment, for error messages: --resume if its folder is there,
/// otherwise another start.
[[nodiscard]] std::string resume_hint(const sweep::plan& plan);

/// "Dry run: 4 combinations, 2 runs of each, 8 in total; nothing was started."
[[nodiscard]] std::string dry_run_text(const sweep::plan& plan, std::size_t combinations);

}  // namespace inferbench::experiment

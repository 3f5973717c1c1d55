// Carries out an experiment for a command: `inferbench sweep serve`, or `inferbench run` with a
// table [sweep].
#pragma once

#include "config/catalog.hpp"
#include "sweep/request.hpp"

namespace inferbench::cli {

/// Makes the runs and gives them to the reporters. `plugins` must have been told where to look.
/// Returns the exit status: `incomplete` if a combination or a reporter failed, otherwise `done`.
/// Throws base::error, also if the user interrupts.
int carry_out_experiment(const sweep::plan& plan, config::catalog& plugins);

}  // namespace inferbench::cli

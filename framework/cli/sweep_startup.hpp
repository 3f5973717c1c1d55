// The start-up benchmark of `inferbench sweep startup`: its default command, and the options that
// it has.
#pragma once

#include "config/catalog.hpp"
#include "sweep/startup_parameters.hpp"

namespace inferbench::cli {

/// The command is `inferbench startup` with the path of this program. A program with another name
/// than inferbench has the options that upstream's start-up benchmark has besides those of its
/// engine. A program inferbench has further options: those of `inferbench startup`, those that the
/// plugins of the engines declare, and `engine`, which passes an option to the engine as it is. An
/// engine counts if --backend of the command or a parameter `backend` names it, otherwise the
/// default engine; an engine that cannot be loaded has no options. `plugins` must outlive the
/// result and must have been told where to look.
[[nodiscard]] sweep::startup_benchmark own_startup_benchmark(config::catalog& plugins);

}  // namespace inferbench::cli

// The construction of an engine before the measurement.
#pragma once

#include <functional>

#include "options/plugin_choice.hpp"
#include "plugin/instance.hpp"
#include "run/interrupt.hpp"

namespace inferbench::run {

/// Loads the engine if the plugin offers inferbench.batch-engine; otherwise does nothing. An engine
/// that is not loaded here is constructed with its first request, whose latency would contain the
/// time of that. `stopping` is called on another thread if the user stops the program meanwhile.
/// Throws base::error if the engine cannot be loaded or the user stops the program.
void load_engine(const options::plugin_choice& chosen, const plugin::instance& backend,
                 interrupt& signals, const std::function<void()>& stopping);

}  // namespace inferbench::run

// The plugin of an engine, with the options that the command line or the file has for it.
#pragma once

#include <string>

#include "config/catalog.hpp"
#include "offline/engine_options.hpp"
#include "options/environment.hpp"
#include "options/node.hpp"
#include "options/plugin_choice.hpp"

namespace inferbench::batch {

struct engine_choice {
  options::plugin_choice plugin;
  /// The options that the plugin does not declare, by their names with '_': the engine checks them.
  options::node engine = options::node::table();
};

/// Chooses the engine that --backend `name` means. An option of `given` that the plugin declares,
/// under its flag (--python, --reference-engine-ttft), is an option of the plugin; all others are
/// options of the engine. Throws base::error if there is no such plugin, if it has no batch
/// interface, or if a value is refused.
[[nodiscard]] engine_choice choose_engine(config::catalog& plugins, const std::string& name,
                                          const offline::engine_options& given,
                                          const options::environment& env);

}  // namespace inferbench::batch

// The options of an offline command line that belong to the plugin of the data set and not to the
// engine.
#pragma once

#include <span>
#include <string>

#include "config/catalog.hpp"
#include "offline/dataset_options.hpp"
#include "offline/engine_options.hpp"
#include "options/environment.hpp"

namespace inferbench::batch {

/// These choices of the command decide to which plugin an option belongs. `plugin_flags`: as for
/// prompt_list.
struct prompt_plugins {
  std::string engine;     // a name of --backend
  std::string tokenizer;  // if the data set names none; may be empty
  std::span<const std::string> plugin_flags;
};

/// Copies to `data.plugin_options` the options of `passed_on` that the plugin of the data set
/// declares under this flag, and returns the other options. An option stays with the engine if the
/// user wrote --engine.NAME, if the engine's plugin declares it, if vLLM's engine has the name, as
/// in upstream, or if the command sets the flag of the data set itself. Throws nothing for plugins
/// that cannot be found: their errors come from the engine and from prompt_list. `plugins`: the
/// engine's plugin is loaded from it.
[[nodiscard]] offline::engine_options take_prompt_options(offline::dataset_options& data,
                                                          const offline::engine_options& passed_on,
                                                          const prompt_plugins& with,
                                                          config::catalog& plugins,
                                                          const options::environment& env);

}  // namespace inferbench::batch

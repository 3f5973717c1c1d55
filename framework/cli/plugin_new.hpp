// `inferbench plugin new`: starts a project from the templates of the SDK.
#pragma once

#include "cli/commands.hpp"

namespace inferbench::cli {

/// `args`: the arguments after `new`. Throws base::error if the project cannot be written.
int plugin_new(arguments args);

}  // namespace inferbench::cli

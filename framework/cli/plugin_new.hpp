// `inferbench plugin new`: a project to begin with, from the templates of the SDK.
#pragma once

#include "cli/commands.hpp"

namespace inferbench::cli {

/// Arguments behind `new`. Throws base::error when the project cannot be written.
int plugin_new(arguments args);

}  // namespace inferbench::cli

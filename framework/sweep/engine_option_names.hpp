// The options of the engine vLLM that `vllm bench startup` takes besides its own options.
// `inferbench sweep startup` keeps them of the parameters of a server. The names are those of
// vLLM's engine arguments, with older names of them; a name of a release that is missing here is
// dropped with a line, as an unknown name. Pure functions.
#pragma once

#include <string_view>

namespace inferbench::sweep {

/// Whether the engine has an option with this name, with "_" for "-". A switch that has an opposite
/// also has the name with "no_" before it.
[[nodiscard]] bool is_engine_option(std::string_view name);

}  // namespace inferbench::sweep

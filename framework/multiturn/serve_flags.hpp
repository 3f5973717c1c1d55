// The flags of `inferbench serve` that the script's flags set: their names in errors, and the
// refusal of the same flag in the words of serve. Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "multiturn/script_options.hpp"
#include "scripts/flag_names.hpp"

namespace inferbench::multiturn {

/// Throws options::usage_error, with the flag to use or the reason, if the user gives a flag of
/// serve that contradicts the script, because the script has a flag for it or decides it. `written`
/// is a word such as "--base-url", "--no-conversation-early-stop" or "--num_prompts=3".
void refuse_contradiction(std::string_view written);

/// The names of the flags of serve for errors of the run: those of the script's flags that set
/// them.
[[nodiscard]] scripts::flag_names names_in_errors(const script_options& options);

}  // namespace inferbench::multiturn

// The user's flags of `inferbench serve` and `inferbench find` (--bench-options, --find-options)
// are read before a server is started: otherwise a misspelt flag would end the first benchmark,
// after the server has loaded its model.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "options/environment.hpp"
#include "tune/tune_request.hpp"

namespace inferbench::tune {

/// Reads the arguments after the name of a command, and throws the base::error with which the
/// command would end.
using command_reader = std::function<void(std::span<const std::string>)>;

struct command_readers {
  command_reader serve;
  command_reader find;
};

/// The parsers of this program (config/request.hpp), with the installed plugins. They also throw
/// options::usage_error for flags with which the command would measure nothing, such as --help.
/// `env` must outlive the result. Main thread.
[[nodiscard]] command_readers own_readers(const options::environment& env);

/// Gives the readers the commands of the tuning, for any server. Throws options::usage_error for a
/// flag of the user that the tuning sets itself, and what the readers throw. The errors begin with
/// --bench-options or --find-options, or have the names of tune's flags.
void require_options(const tune_request& request, const command_readers& readers);

}  // namespace inferbench::tune

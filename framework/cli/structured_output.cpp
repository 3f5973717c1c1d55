// `inferbench structured-output`: the flags of vLLM's benchmark_serving_structured_output, as a run
// of serve.
#include <string>

#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "structured/script_flags.hpp"
#include "structured/script_line.hpp"
#include "structured/serve_words.hpp"

namespace inferbench::cli {

int structured_output(arguments args) {
  const structured::script_line line(args);
  if (line.help()) {
    cli::print("{}", structured::script_help());
    return done;
  }
  const structured::serve_command command = structured::serve_command_of(line);
  base::log log;
  for (const std::string& warning : command.warnings)
    log.warning(warning);
  return command.names.told_by([&] { return serve(command.words); });
}

}  // namespace inferbench::cli

// `inferbench tune` and `inferbench tune batch`.
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "tune/commands.hpp"

namespace inferbench::cli {

int tune(arguments args) {
  if (!args.empty() && args.front() == "batch")
    return tune::batch(args.subspan(1), standard_output());
  return tune::tune(args, standard_output());
}

}  // namespace inferbench::cli

// The command line: a table of subcommands, one file each. main.cpp is the one place
// where set-up errors are caught.
//
// Exit status: 0 the run finished (failed requests included, as upstream does);
// 1 it ended, but something of it was lost (a reporter failed, standard output took no more, it
//   was interrupted), or, of
//   serve and run, it did not begin: a value that can be read but not used, no server, no
//   data. So it is upstream;
// 2 what was given cannot be read (options::usage_error), or another command could do nothing;
// 3 it finished, but --require-valid was given and the client did not keep up.
#pragma once

#include <span>
#include <string>

namespace inferbench::cli {

inline constexpr int done = 0;
inline constexpr int incomplete = 1;
inline constexpr int refused = 2;
inline constexpr int not_valid = 3;

/// Arguments without program and command name.
using arguments = std::span<const std::string>;

struct command {
  const char* name;
  const char* summary;
  int (*run)(arguments args);
  int failure = refused;  // exit status after a base::error
};

/// In the order of --help.
[[nodiscard]] std::span<const command> commands();

/// Whether --help or -h is among them, whatever stands before it.
[[nodiscard]] bool asks_for_help(arguments args);

int serve(arguments args);
int calibrate(arguments args);
int run(arguments args);
int simulate(arguments args);
int report(arguments args);
int plugin(arguments args);
int dataset(arguments args);
int tokenizer(arguments args);
int docs(arguments args);

/// Finds the command, runs it, turns base::error into its one line and exit status.
int main(int argc, char** argv);

}  // namespace inferbench::cli

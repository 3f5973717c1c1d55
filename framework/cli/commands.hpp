// The command line: a table of subcommands, with one file for each subcommand. main.cpp is the only
// place where set-up errors are caught.
//
// Exit status:
// 0: the run finished, even if requests failed (as in upstream).
// 1: the run is incomplete: a reporter failed, standard output was closed, the user interrupted it,
//    or simulate could not write a file. Or serve or run did not begin (as in upstream): a value
//    cannot be used, or there is no server or no data. A sweep in which anything failed is
//    incomplete, too.
// 2: the arguments cannot be read (options::usage_error), or another command failed.
// 3: the run finished, but --require-valid was given and the client did not keep up.
// 4: the run finished, but a goal of --threshold is not met; or no load of `find` meets its goals.
// 5: compare --gate: a candidate is slower. 6: compare --gate cannot tell.
// If several apply, the status is 1, otherwise the lowest.
#pragma once

#include <span>
#include <string>

namespace inferbench::cli {

inline constexpr int done = 0;
inline constexpr int incomplete = 1;
inline constexpr int refused = 2;
inline constexpr int not_valid = 3;
inline constexpr int not_met = 4;
inline constexpr int slower = 5;
inline constexpr int cannot_tell = 6;

/// The arguments without the names of the program and the command.
using arguments = std::span<const std::string>;

using command_function = int (*)(arguments args);

struct command {
  const char* name;
  const char* summary;
  command_function run;
  int failure = refused;  // exit status after a base::error
};

/// The commands in the order of --help.
[[nodiscard]] std::span<const command> commands();

/// Whether `args` contains --help or -h, at any position.
[[nodiscard]] bool asks_for_help(arguments args);

/// The command for `inferbench run FILE.toml` if the file has a table of a benchmark without a
/// server; nullptr: it has none, or it cannot be read.
[[nodiscard]] command_function offline_benchmark(arguments args);

int serve(arguments args);
int calibrate(arguments args);
int run(arguments args);
int throughput(arguments args);
int latency(arguments args);
int startup(arguments args);
int mm_processor(arguments args);
int sweep(arguments args);
int find(arguments args);
int compare(arguments args);
int perf(arguments args);
int structured_output(arguments args);
int multi_turn(arguments args);
int prefix_caching(arguments args);
int long_document_qa(arguments args);
int prioritization(arguments args);
int tune(arguments args);
int simulate(arguments args);
int report(arguments args);
int plugin(arguments args);
int dataset(arguments args);
int tokenizer(arguments args);
int docs(arguments args);

/// Finds the command, runs it and returns its exit status. If the command throws an error, prints
/// the error as one line and returns an exit status: `refused` for an options::usage_error,
/// otherwise the command's `failure`.
int main(int argc, char** argv);

}  // namespace inferbench::cli

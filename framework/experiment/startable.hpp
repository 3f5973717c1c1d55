// Checks of commands before they are started: programs, the length of arguments, and whether a
// server can be used in a sweep.
#pragma once

#include <string>
#include <vector>

#include "sweep/request.hpp"

namespace inferbench::experiment {

/// The errno with which the system would refuse to start the program: ENOENT, EACCES (no right to
/// execute it, or a folder), ENOTDIR and so on; 0 if nothing is known against it. A program without
/// '/' is looked for in $PATH.
[[nodiscard]] int program_obstacle(const std::string& program);

/// "the program vllmm is not in $PATH", "the program ./run cannot be executed: Permission denied";
/// empty if nothing is known against it.
[[nodiscard]] std::string why_no_program(const std::string& program);

/// A program that a sweep starts, and the setting that names it: "--serve-cmd",
/// "sweep.server.command".
struct program_use {
  std::string name;
  std::string setting;
};

/// The programs of a plan: the server's first, if there is one.
[[nodiscard]] std::vector<program_use> programs_of(const sweep::plan& plan);

/// Throws base::error with the setting and why_no_program().
void require_program(const program_use& of);

/// Throws base::error if a program of the plan is not there. Otherwise this would be found after
/// the start of the server, or after the first run.
void require_programs(const sweep::plan& plan);

/// Throws base::error if the address of a server of the plan cannot be read, or if its caches
/// cannot be reset. A server whose program is not there is reported as such (not in a dry run): its
/// name may be misspelt.
void require_servers(const sweep::plan& plan);

/// Throws base::error if a criterion of a certified search is no goal (metrics/goal.hpp).
void require_goals(const sweep::plan& plan);

/// "cannot start vllm: its arguments have 200000 bytes, ..." if the system would not take
/// arguments of this length; otherwise empty. The limits are those of execve() in Linux: 128 KiB
/// for an argument, and a quarter of the limit of the stack (at most 6 MiB) for arguments and
/// environment together.
[[nodiscard]] std::string why_too_long(const std::vector<std::string>& words);

/// The name of the exception that Python raises for an error of the system: "FileNotFoundError",
/// "NotADirectoryError", "PermissionError", otherwise "OSError".
[[nodiscard]] std::string python_exception(int error);

}  // namespace inferbench::experiment

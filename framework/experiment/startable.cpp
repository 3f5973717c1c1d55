#include "experiment/startable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/cache_reset.hpp"
#include "metrics/goal.hpp"
#include "sweep/command.hpp"
#include "transport/server_address.hpp"

extern char** environ;

namespace inferbench::experiment {

namespace {

constexpr std::size_t most_arguments = std::size_t{6} << 20U;
constexpr const char* usual_path = "/bin:/usr/bin";  // of execvp() without $PATH

int file_obstacle(const std::string& file) {
  struct stat about{};
  if (::stat(file.c_str(), &about) != 0) return errno;
  if (!S_ISREG(about.st_mode)) return EACCES;
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

/// The bytes that a text takes in the memory of a new process: with its zero and its pointer.
std::size_t taken_by(std::string_view text) { return text.size() + 1 + sizeof(char*); }

}  // namespace

int program_obstacle(const std::string& program) {
  if (program.find('/') != std::string::npos) return file_obstacle(program);
  const char* const path = std::getenv("PATH");
  int out = ENOENT;
  for (const std::string_view folder : base::split(path == nullptr ? usual_path : path, ':')) {
    const int why =
        file_obstacle(folder.empty() ? "./" + program : std::string(folder) + "/" + program);
    if (why == 0) return 0;
    if (why == EACCES) out = EACCES;
  }
  return out;
}

std::string why_no_program(const std::string& program) {
  const int why = program_obstacle(program);
  if (why == 0) return {};
  const std::string name = "the program " + base::one_line(program);
  if (why == EACCES) return name + " cannot be executed: " + std::strerror(why);
  if (program.find('/') == std::string::npos) return name + " is not in $PATH";
  return name + " is not there: " + std::strerror(why);
}

std::vector<program_use> programs_of(const sweep::plan& plan) {
  const bool from_toml = !plan.result_reporter.empty();
  std::vector<program_use> out;
  if (!plan.serve_command.empty())
    out.push_back({plan.serve_command.front(), from_toml ? "sweep.server.command" : "--serve-cmd"});
  if (!plan.bench_command.empty())
    out.push_back({plan.bench_command.front(), sweep::benchmark_flag(plan.does)});
  if (plan.after_bench)
    out.push_back(
        {plan.after_bench->front(), from_toml ? "sweep.server.after-bench" : "--after-bench-cmd"});
  return out;
}

void require_program(const program_use& of) {
  if (const std::string why = why_no_program(of.name); !why.empty())
    throw base::error(of.setting + ": " + why, "correct its name, or write its path");
}

void require_programs(const sweep::plan& plan) {
  for (const program_use& each : programs_of(plan))
    require_program(each);
}

void require_servers(const sweep::plan& plan) {
  if (plan.serve_command.empty()) return;
  for (const sweep::item& serve : plan.serve_items) {
    const std::vector<std::string> command = sweep::applied(plan.serve_command, serve);
    static_cast<void>(transport::server_address(command));
    if (plan.after_bench) continue;
    try {
      require_reset(command);
    } catch (const base::error&) {
      if (!plan.dry_run) require_program(programs_of(plan).front());
      throw;
    }
  }
}

void require_goals(const sweep::plan& plan) {
  if (plan.search != sweep::sla_search::certified) return;
  for (const sweep::sla_set& set : plan.sla_sets)
    for (const sweep::criterion& each : set)
      static_cast<void>(metrics::parse_goal(each.goal()));
}

std::string why_too_long(const std::vector<std::string>& words) {
  std::size_t all = 0;
  std::size_t longest = 0;
  for (const std::string& word : words) {
    all += taken_by(word);
    longest = std::max(longest, word.size());
  }
  std::size_t with_environment = all;
  for (char** each = environ; *each != nullptr; ++each)
    with_environment += taken_by(*each);
  const long said = ::sysconf(_SC_ARG_MAX);
  const std::size_t most =
      said > 0 ? std::min(static_cast<std::size_t>(said), most_arguments) : most_arguments;
  if (longest <= sweep::longest_argument && with_environment <= most) return {};
  return "cannot start " + base::one_line(words.front()) + ": its arguments have " +
         std::to_string(all) + " bytes, the longest " + std::to_string(longest) +
         "; the system takes " + std::to_string(most) + " together with the environment, and " +
         std::to_string(sweep::longest_argument) + " in an argument";
}

std::string python_exception(int error) {
  switch (error) {
    case ENOENT: return "FileNotFoundError";
    case ENOTDIR: return "NotADirectoryError";
    case EACCES:
    case EPERM: return "PermissionError";
    default: return "OSError";
  }
}

}  // namespace inferbench::experiment

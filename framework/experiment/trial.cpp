#include "experiment/trial.hpp"

#include <memory>
#include <optional>
#include <system_error>

#include <sys/wait.h>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"
#include "experiment/sweep_failures.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"
#include "supervise/supervised_process.hpp"
#include "sweep/benchmark_command.hpp"
#include "sweep/find_command.hpp"
#include "sweep/layout.hpp"

namespace inferbench::experiment {

namespace {

namespace fs = std::filesystem;

constexpr int result_indent = 4;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

void remove_file(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

std::shared_ptr<ifb::json_document> checked_result(const trial& of) {
  if (!is_there(of.part))
    throw failed_run("FileNotFoundError", "the benchmark " + of.command.front() +
                                              " ended without an error, but wrote no result to " +
                                              of.part.string());
  try {
    return read_result(of.part);
  } catch (const base::error& e) {
    throw failed_run("ValueError",
                     std::string("the benchmark wrote no usable result: ") + e.what());
  }
}

}  // namespace

trial trial_of(const sweep::plan& plan, const experiment_folder& folder, const combination& what,
               int run_number) {
  trial out;
  out.serve = what.serve;
  out.bench =
      run_number >= 0 ? what.bench : sweep::with_num_prompts(plan, what.bench, plan.warmup_prompts);
  out.run_number = run_number;
  const std::string name =
      what.criteria ? sweep::sla_file(*what.criteria) : sweep::run_file(run_number);
  out.file = folder.of(what) / name;
  out.part = folder.part_of(what) / name;
  out.command = what.criteria ? sweep::find_command(plan, out.bench, *what.criteria,
                                                    folder.of(what), out.part)
                              : sweep::benchmark_command(plan, out.serve, out.bench, out.part);
  return out;
}

sweep::run_object found_result(const trial& of, const sweep::tell_line& tell) {
  if (!is_there(of.file)) return nullptr;
  try {
    std::shared_ptr<ifb::json_document> out = read_result(of.file);
    enrich(*out, of.run_number, of.serve, of.bench);
    return out;
  } catch (const base::error& e) {
    tell(std::string("Not usable, so the run is made again: ") + e.what());
    return nullptr;
  }
}

sweep::run_object carried_out(
    const trial& what, const command_surroundings& with,
    const std::function<void(const ifb::json_value& result)>& before_write) {
  create_folder(what.part.parent_path());
  remove_file(what.part);
  const command_end end = run_in_foreground(what.command, with);
  if (!can_have_result(what.command.front(), end.wait_status))
    throw failed_run("CalledProcessError",
                     "the benchmark " + what.command.front() + " ended with " +
                         supervise::status_text(end.wait_status),
                     end.last_lines);
  std::shared_ptr<ifb::json_document> out = checked_result(what);
  if (before_write) before_write(*out);
  enrich(*out, what.run_number, what.serve, what.bench);
  create_folder(what.file.parent_path());
  write_durably(what.file, pytext::python_json(*out, result_indent));
  remove_file(what.part);
  remove_file(failure_file_of(what.file));
  return out;
}

bool can_have_result(const std::string& program, int wait_status) {
  if (!WIFEXITED(wait_status)) return false;
  const int status = WEXITSTATUS(wait_status);
  const bool ours = fs::path(program).filename() == "inferbench";
  return status == 0 || (ours && (status == 3 || status == 4));
}

}  // namespace inferbench::experiment

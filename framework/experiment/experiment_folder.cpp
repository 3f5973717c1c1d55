#include "experiment/experiment_folder.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"
#include "sweep/command.hpp"
#include "sweep/layout.hpp"
#include "sweep/links.hpp"

namespace inferbench::experiment {

namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = ".sweep.json";
constexpr const char* part_name = ".part";
constexpr const char* old_name = ".old";

sweep_manifest::entry entry_of(const combination& what) {
  return {json_line(what.serve), json_line(what.bench), sweep::without_secrets(what.serve_command),
          sweep::without_secrets(what.bench_command)};
}

// Files that a run of a combination makes; folders below it belong to other combinations.
bool belongs_to_runs(const fs::directory_entry& entry) {
  return !entry.is_directory() && !entry.path().filename().string().starts_with('.');
}

[[noreturn]] void cannot(const std::string& what, const fs::path& path, std::error_code why) {
  throw base::error("cannot " + what + " " + path.string() + ": " + why.message());
}

/// The flag, or the key of a TOML file, that names the experiment.
std::string name_setting(const sweep::plan& plan) {
  return plan.result_reporter.empty() ? "--experiment-name" : "sweep.name";
}

/// Throws base::error if something above the path is not a folder. Without this check a server
/// would be started in vain.
void require_folders_above(const fs::path& path) {
  std::error_code ignored;
  for (fs::path at = path.parent_path(); !at.empty(); at = at.parent_path()) {
    if (fs::is_directory(at, ignored)) return;
    if (fs::exists(fs::symlink_status(at, ignored)))
      throw base::error(at.string() + " is not a folder", "choose another output folder");
    if (at == at.parent_path()) return;
  }
}

}  // namespace

experiment_folder::experiment_folder(const sweep::plan& plan, sweep::tell_line tell)
    : plan_(plan), tell_(std::move(tell)), path_(fs::path(plan.output_dir) / plan.experiment) {
  std::error_code ignored;
  there_ = fs::exists(fs::symlink_status(path_, ignored));
  if (plan.resume && !fs::is_directory(path_, ignored))
    throw base::error(
        "there is no experiment " + path_.string() + " to resume",
        "correct the output folder and " + name_setting(plan) + ", or leave out --resume");
  if (!plan.resume && there_)
    throw base::error(
        path_.string() + " is there already",
        "--resume continues this experiment; another " + name_setting(plan) + " begins one");
  if (there_)
    open();
  else
    require_folders_above(path_);
}

void experiment_folder::create() {
  if (there_) return;
  create_folder(path_.parent_path());
  std::error_code problem;
  if (!fs::create_directory(path_, problem)) {
    if (problem) cannot("create", path_, problem);
    throw base::error("somebody else has created " + path_.string() + " just now",
                      "choose another " + name_setting(plan_));
  }
  there_ = true;
  open();
}

void experiment_folder::open() {
  if (!plan_.dry_run) {
    lock_.emplace(path_ / ".lock", name_setting(plan_));
    tidy();
  }
  manifest_.emplace(path_ / manifest_name);
  compare_commands();
}

void experiment_folder::compare_commands() {
  const auto compare = [&](const std::vector<std::string>& before,
                           const std::vector<std::string>& now, const char* flag) {
    if (before.empty() || before == now) return;
    tell_(std::string("Another ") + flag +
          " than before; runs that are finished are kept. It was: " + pytext::python_repr(before));
  };
  // The file must not contain the keys of servers.
  const auto serve_command = sweep::without_secrets(plan_.serve_command);
  const auto bench_command = sweep::without_secrets(plan_.bench_command);
  compare(manifest_->serve_command, serve_command, "--serve-cmd");
  compare(manifest_->bench_command, bench_command, sweep::benchmark_flag(plan_.does));
  if (!manifest_->settings_digest.empty() && manifest_->settings_digest != plan_.settings_digest)
    tell_(
        "The settings of the runs in the files have changed; runs that are finished are kept. "
        "Another sweep.name (--set sweep.name=NAME) makes all runs again.");
  manifest_->settings_digest = plan_.settings_digest;
  manifest_->serve_command = serve_command;
  manifest_->bench_command = bench_command;
}

fs::path experiment_folder::of(const combination& what) const {
  return what.folder.empty() ? path_ : path_ / what.folder;
}

fs::path experiment_folder::part_of(const combination& what) const {
  return what.folder.empty() ? path_ / part_name : path_ / part_name / what.folder;
}

bool experiment_folder::claim(const combination& what) {
  if (!claimed_.emplace(what.folder, entry_of(what)).second) return !stale_.contains(what.folder);
  if (!there_ || was_made_with(what) || !has_results(what)) return true;
  tell_("The parameters of " + of(what).string() + " have changed since its runs.");
  if (plan_.dry_run)
    stale_.insert(what.folder);
  else
    move_away(what);
  return !plan_.dry_run;
}

bool experiment_folder::has_results(const combination& what) const {
  std::error_code ignored;
  return std::ranges::any_of(fs::directory_iterator(of(what), ignored), belongs_to_runs);
}

bool experiment_folder::was_made_with(const combination& what) const {
  if (const auto* entry = manifest_->find(what.folder))
    return entry->serve == json_line(what.serve) && entry->bench == json_line(what.bench);
  // `vllm bench sweep` writes no manifest, but its results contain the parameters.
  const options::node wanted = sweep::merged(what.serve, what.bench).table();
  for (int run = 0; run < plan_.num_runs; ++run) {
    options::node found;
    try {
      const auto result = read_result(of(what) / sweep::run_file(run));
      found = pytext::read_json_node(pytext::python_json(*result, 0), "result");
    } catch (const base::error&) {
      continue;  // the run is made again in any case
    }
    for (std::size_t i = 0; i < wanted.items.size(); ++i) {
      const options::node* const value = found.find(wanted.names[i]);
      if (value == nullptr || !sweep::equal_values(*value, wanted.items[i])) return false;
    }
  }
  return true;
}

void experiment_folder::move_away(const combination& what) {
  int number = 1;
  while (fs::exists(path_ / old_name / std::to_string(number) / what.folder))
    ++number;
  const fs::path to = path_ / old_name / std::to_string(number) / what.folder;
  create_folder(to);
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(of(what))) {
    if (!belongs_to_runs(entry)) continue;
    fs::rename(entry.path(), to / entry.path().filename(), problem);
    if (problem) cannot("move", entry.path(), problem);
  }
  tell_("The old results are now in " + to.string() + "; the runs are made again.");
}

void experiment_folder::record(const combination& what) {
  create();
  const sweep_manifest::entry& claim = claimed_.at(what.folder);
  const auto* const before = manifest_->find(what.folder);
  if (before != nullptr && *before == claim) return;
  manifest_->set(what.folder, claim);
  manifest_->save();
}

std::vector<std::int64_t> experiment_folder::known_levels(const std::string& search,
                                                          std::vector<std::int64_t> found) {
  if (plan_.dry_run) return found;
  create();
  if (const auto* levels = manifest_->known_levels(search)) {
    std::erase_if(found, [&](std::int64_t level) { return !std::ranges::count(*levels, level); });
    return found;
  }
  manifest_->set_known_levels(search, found);
  manifest_->save();
  return found;
}

void experiment_folder::tidy() noexcept {
  std::error_code ignored;
  if (!plan_.dry_run && there_) fs::remove_all(path_ / part_name, ignored);
}

}  // namespace inferbench::experiment

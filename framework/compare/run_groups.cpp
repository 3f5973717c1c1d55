#include "compare/run_groups.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "compare/run_copies.hpp"

namespace inferbench::compare {

namespace {

namespace fs = std::filesystem;

/// The files of a group before they are read.
struct file_group {
  fs::path place;  // the folder, or the first file
  std::vector<fs::path> files;
  std::string name = {};
  std::string argument = {};  // the folder in which the files were found, which need not be runs
};

bool is_folder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

/// The last `parts` names of the path.
std::string tail_of_path(const fs::path& path, std::size_t parts) {
  const fs::path whole = path.lexically_normal();
  fs::path at = whole.has_filename() ? whole : whole.parent_path();
  std::string out;
  for (; parts > 0 && at.has_filename(); --parts, at = at.parent_path()) {
    if (!out.empty()) out.insert(0, "/");
    out.insert(0, at.filename().string());
  }
  return base::one_line(out.empty() ? whole.string() : out);
}

std::string name_of_group(const file_group& of, std::size_t parts) {
  const std::string out = tail_of_path(of.place, parts);
  const bool is_list = of.files.size() > 1 && of.place == of.files.front();
  return is_list ? fmt::format("{} and {} more", out, of.files.size() - 1) : out;
}

/// Names the groups by the fewest names of their paths that tell all of them apart.
void name_groups(std::vector<file_group>& groups) {
  constexpr std::size_t most_parts = 64;
  for (std::size_t parts = 1; parts <= most_parts; ++parts) {
    std::set<std::string> names;
    for (file_group& each : groups) {
      each.name = name_of_group(each, parts);
      names.insert(each.name);
    }
    if (names.size() == groups.size()) return;
  }
  // The groups have the same path; they are told apart by a number.
  std::set<std::string> used;
  for (file_group& each : groups) {
    const std::string bare = each.name;
    for (int n = 2; !used.insert(each.name).second; ++n)
      each.name = fmt::format("{} ({})", bare, n);
  }
}

/// Whether the name is that of a file with a run.
bool may_be_run(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".json" || (ending == ".journal" && is_journal(file));
}

/// Each folder at and below `top` that has files which may be runs, in the order of the names.
std::vector<file_group> groups_below(const fs::path& top) {
  std::vector<fs::path> files, folders;
  try {
    for (const fs::directory_entry& each : fs::directory_iterator(top)) {
      if (each.path().filename().string().starts_with('.')) continue;
      if (each.is_directory())
        folders.push_back(each.path());
      else if (each.is_regular_file() && may_be_run(each.path()))
        files.push_back(each.path());
    }
  } catch (const fs::filesystem_error& why) {
    throw base::error("cannot read the folder: " + why.code().message(), {}, {top.string(), 0, 0});
  }
  std::ranges::sort(files);
  std::ranges::sort(folders);
  std::vector<file_group> out;
  if (!files.empty()) out.push_back({top, std::move(files)});
  for (const fs::path& each : folders) {
    // A link to a folder above would not end.
    if (fs::is_symlink(fs::symlink_status(each))) continue;
    for (file_group& below : groups_below(each))
      out.push_back(std::move(below));
  }
  return out;
}

void require_file(const fs::path& file) {
  if (is_folder(file))
    throw base::error("the folder stands in a list of files", "name it as an argument of its own",
                      {file.string(), 0, 0});
  if (!is_there(file))
    throw base::error("there is no such file or folder", {}, {file.string(), 0, 0});
}

/// The arguments as groups of files, in the order of the arguments.
std::vector<file_group> grouped_files(std::span<const std::string> arguments) {
  std::vector<file_group> out;
  std::vector<fs::path> single;
  std::set<fs::path> folders;
  for (const std::string& argument : arguments)
    if (is_there(argument) && !is_folder(argument))
      folders.insert(fs::path(argument).parent_path());
  std::map<fs::path, std::size_t> group_of_folder;
  for (const std::string& argument : arguments) {
    const fs::path path = argument;
    if (is_folder(path)) {
      std::vector<file_group> found = groups_below(path);
      if (found.empty())
        throw base::error("the folder has no results",
                          "name a folder with the result files or journals of runs",
                          {argument, 0, 0});
      for (file_group& each : found) {
        each.argument = argument;
        out.push_back(std::move(each));
      }
      continue;
    }
    if (!is_there(path) && argument.find(',') != std::string::npos) {
      file_group list;
      for (const std::string_view each : base::split(argument, ',')) {
        if (base::trim(each).empty()) continue;
        list.files.emplace_back(base::trim(each));
        require_file(list.files.back());
      }
      if (list.files.empty()) throw base::error("the list names no file", {}, {argument, 0, 0});
      list.place = list.files.front();
      out.push_back(std::move(list));
      continue;
    }
    require_file(path);
    if (folders.size() < 2) {
      out.push_back({path, {path}});
      continue;
    }
    const auto [at, is_new] = group_of_folder.try_emplace(path.parent_path(), out.size());
    if (is_new) out.push_back({path.has_parent_path() ? path.parent_path() : ".", {}});
    out[at->second].files.push_back(path);
  }
  return out;
}

void refuse_repetitions(const std::vector<file_group>& groups) {
  std::map<fs::path, fs::path> seen;
  for (const file_group& group : groups)
    for (const fs::path& file : group.files) {
      std::error_code unknown;
      const auto [at, is_new] = seen.try_emplace(fs::weakly_canonical(file, unknown), group.place);
      if (!is_new)
        throw base::error(
            "the run is named twice: " + at->second.string() + " and " + group.place.string(),
            "compare each run once", {file.string(), 0, 0});
    }
}

/// "a.json, b.json and 3 more"
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  const std::string out = fmt::format("{}", fmt::join(names | std::views::take(most), ", "));
  return names.size() > most ? out + fmt::format(" and {} more", names.size() - most) : out;
}

/// The runs of a folder: files that are no runs are left out.
void read_found(const file_group& from, std::span<const declared_figure> declared, base::log& log,
                run_group& into, std::vector<std::string>& notes) {
  std::vector<std::string> others;
  std::string reason;
  for (const fs::path& file : from.files) {
    try {
      into.runs.push_back(read_run(file, declared, log));
    } catch (const base::error& why) {
      if (others.empty()) reason = why.message();
      others.push_back(base::one_line(file.filename().string()));
    }
  }
  if (!others.empty())
    notes.push_back(fmt::format("{}: left out {}, because {} ({})", from.name, list_of(others),
                                others.size() == 1 ? "it is no run" : "they are no runs", reason));
}

void sort_runs(run_group& of) {
  const bool dated = std::ranges::all_of(
      of.runs, [](const measured_run& each) { return each.started_unix_ns != 0; });
  std::ranges::sort(of.runs, {}, [&](const measured_run& each) {
    return std::tuple(dated ? each.started_unix_ns : 0, each.file.string());
  });
}

void require_one_benchmark(const std::vector<run_group>& groups) {
  const measured_run& first = groups.front().runs.front();
  for (const run_group& group : groups)
    for (const measured_run& each : group.runs)
      if (each.of != first.of)
        throw base::error(fmt::format("the run belongs to the benchmark {}, and {} to {}",
                                      name_of(each.of), first.file.string(), name_of(first.of)),
                          "compare runs of one benchmark", {each.file.string(), 0, 0});
}

}  // namespace

found_groups read_groups(std::span<const std::string> arguments,
                         std::span<const declared_figure> declared, base::log& log) {
  std::vector<file_group> files = grouped_files(arguments);
  name_groups(files);
  refuse_repetitions(files);
  found_groups out;
  std::set<std::string> useful;                 // arguments with a run
  std::map<std::string, std::string> left_out;  // the note on files of an argument, by argument
  for (const file_group& each : files) {
    run_group group;
    group.name = each.name;
    if (!each.argument.empty())
      read_found(each, declared, log, group, out.notes);
    else
      for (const fs::path& file : each.files)
        group.runs.push_back(read_run(file, declared, log));
    sort_runs(group);
    if (group.runs.empty()) {
      left_out[each.argument] = out.notes.back();
      continue;
    }
    useful.insert(each.argument);
    out.groups.push_back(std::move(group));
  }
  for (const file_group& each : files)
    if (!useful.contains(each.argument))
      throw base::error("the folder has no results", left_out[each.argument],
                        {each.argument, 0, 0});
  if (out.groups.size() < 2)
    throw base::error(out.groups.empty()
                          ? "nothing to compare is named"
                          : "there is one group of runs, " + out.groups.front().name +
                                ", and nothing to compare it with",
                      "name at least two folders, or two files");
  require_one_benchmark(out.groups);
  leave_out_copies(out.groups, out.notes);
  return out;
}

run_group read_group(std::string name, std::span<const fs::path> files,
                     std::span<const declared_figure> declared, base::log& log) {
  run_group out;
  out.name = std::move(name);
  for (const fs::path& each : files)
    out.runs.push_back(read_run(each, declared, log));
  return out;
}

}  // namespace inferbench::compare

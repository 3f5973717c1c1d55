// The arguments of `inferbench compare` as groups of runs. The rule:
// - a folder: the runs of each folder in it that has runs are a group, with the folder's name;
//   folders whose names begin with "." are left out;
// - files with "," between them: a group;
// - single files: those of each folder are a group if they lie in several folders, as in
//   "base/*.json new/*.json"; if they lie in one folder, each file is a group of its own.
// The first group is the base.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "compare/declared_figure.hpp"
#include "compare/measured_run.hpp"

namespace inferbench::compare {

struct run_group {
  std::string name;  // unique
  std::vector<measured_run> runs;
};

struct found_groups {
  std::vector<run_group> groups;   // the base first; each has a run
  std::vector<std::string> notes;  // sentences: the files that were left out
};

/// Reads the runs. The runs of a group are in the order of their start, and in that of their names
/// if a start is not known. A file of a folder that is no run is left out with a note; so is each
/// further file of a run in its group (run_copies.hpp). Throws base::error if there are fewer than
/// two groups, if an argument has no run, if a file that was named itself is no run, if a file or a
/// run belongs to two groups, and if the runs belong to different benchmarks.
[[nodiscard]] found_groups read_groups(std::span<const std::string> arguments,
                                       std::span<const declared_figure> declared, base::log& log);

/// The group of these files, at least one, in their order. Throws base::error like read_run().
[[nodiscard]] run_group read_group(std::string name, std::span<const std::filesystem::path> files,
                                   std::span<const declared_figure> declared, base::log& log);

}  // namespace inferbench::compare

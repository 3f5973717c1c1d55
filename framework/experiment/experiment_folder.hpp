// The folder of an experiment on the disk: its creation, its lock, its manifest, and the question
// whether the files of a combination were made with its parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/combination.hpp"
#include "experiment/sweep_lock.hpp"
#include "experiment/sweep_manifest.hpp"
#include "sweep/level.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

class experiment_folder {
 public:
  /// Throws base::error if `plan.resume` is set and the folder is not there, if it is not set and
  /// the folder is there, if a part of its path is a file, and if another sweep works in it.
  /// Removes what unfinished runs left in it. A dry run only looks. `plan` is borrowed.
  experiment_folder(const sweep::plan& plan, sweep::tell_line tell);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool is_there() const noexcept { return there_; }
  /// Creates the folder if it is not there, and takes the lock. Throws base::error if somebody else
  /// has created it since this object was made.
  void create();

  /// The folder of the combination, and the folder in which its benchmark writes.
  [[nodiscard]] std::filesystem::path of(const combination& what) const;
  [[nodiscard]] std::filesystem::path part_of(const combination& what) const;

  /// Whether the files of the combination's folder may be used. If they were made with other
  /// parameters, prints a line and moves them to .old/. The first combination of this process that
  /// claims a folder decides; combinations that share the folder share its results.
  [[nodiscard]] bool claim(const combination& what);
  /// Writes the claim to the manifest, unless it is there, and creates the folder of the
  /// experiment. Call it after claim() and before the first run.
  void record(const combination& what);

  /// The levels that the search with this result file may know in advance: the recorded levels if
  /// the search has begun before, otherwise `found`, which is recorded.
  [[nodiscard]] std::vector<std::int64_t> known_levels(const std::string& search,
                                                       std::vector<std::int64_t> found);

  /// Removes the folder for unfinished runs.
  void tidy() noexcept;

 private:
  void open();
  void compare_commands();
  [[nodiscard]] bool was_made_with(const combination& what) const;
  [[nodiscard]] bool has_results(const combination& what) const;
  void move_away(const combination& what);

  const sweep::plan& plan_;
  sweep::tell_line tell_;
  std::filesystem::path path_;
  bool there_ = false;
  std::optional<sweep_lock> lock_;
  std::optional<sweep_manifest> manifest_;                // empty in a dry run without the folder
  std::map<std::string, sweep_manifest::entry> claimed_;  // by folder
  std::set<std::string> stale_;                           // of a dry run, which moves nothing
};

}  // namespace inferbench::experiment

// The name of a run and the path of its journal, for a single run and for a series of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// The position of a run in a series (--num-runs): run `number` of `of`, counted from 1.
struct place_in_series {
  std::int64_t number = 1;
  std::int64_t of = 1;
};

/// Adds the number of the run to a path: "a/b.json" becomes "a/b-run2.json". For a single run, or
/// if `path` is empty, the result is `path`.
[[nodiscard]] std::string numbered(const std::string& path, const place_in_series& which);

/// The name of a run, from local time and process id: "inferbench-20261120-101502-4711". In a
/// series, the name ends with the number of the run: "inferbench-20261120-101502-4711-run2".
[[nodiscard]] std::string run_name(std::int64_t unix_ns, const place_in_series& which = {});

/// Creates the empty file `name` + `ending` in `folder`; creates `folder` if it does not exist. If
/// the file already exists (from a process with the same id in another container), `name` becomes
/// NAME-2, NAME-3 and so on. Throws base::error if the file cannot be created.
[[nodiscard]] std::filesystem::path make_new_file(const std::filesystem::path& folder,
                                                  std::string& name, const std::string& ending);

/// The path of a run's journal, and the name of the run.
class journal_place {
 public:
  /// If --journal is given, the path is its value with the number of the run; with the value "none"
  /// there is no journal. Otherwise, if results are saved, make_new_file() creates NAME.journal in
  /// the folder of the results. Otherwise there is no journal. Throws base::error if the file
  /// cannot be created.
  journal_place(const config::result_files& files, std::string name,
                const place_in_series& which = {});
  journal_place(const journal_place&) = delete;
  journal_place& operator=(const journal_place&) = delete;
  /// Removes the file if the constructor created it and it is still empty.
  ~journal_place();

  [[nodiscard]] const std::optional<std::filesystem::path>& path() const noexcept { return path_; }
  /// The name from the constructor, changed by make_new_file() if another journal in the folder has
  /// this name.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::optional<std::filesystem::path> path_;
  std::string name_;
  bool made_ = false;
};

}  // namespace inferbench::run

// How a run is called and where its journal goes, also when it is one of several.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "config/plan.hpp"

namespace inferbench::run {

/// Which run of a benchmark this is (--num-runs).
struct place_in_series {
  std::int64_t number = 1;
  std::int64_t of = 1;
};

/// "a/b.json" as "a/b-run2.json"; of a single run as it is, like what is empty.
[[nodiscard]] std::string numbered(const std::string& path, const place_in_series& which);

/// "inferbench-20261120-101502-4711": local time and process; of several runs
/// "inferbench-20261120-101502-4711-run2".
[[nodiscard]] std::string run_name(std::int64_t unix_ns, const place_in_series& which = {});

/// Makes the empty file NAME + `ending` in `folder`, which is made if need be. Where there is one,
/// of a process with the same number in another container, it is NAME-2, NAME-3, ..., and `name`
/// says so. Throws base::error.
[[nodiscard]] std::filesystem::path make_new_file(const std::filesystem::path& folder,
                                                  std::string& name, const std::string& ending);

/// The place of a run's journal, and the name of the run.
class journal_place {
 public:
  /// --journal as given ("none": no journal), numbered; else, when results are saved,
  /// NAME.journal in their folder, a file that make_new_file() has made; else none. Throws
  /// base::error.
  journal_place(const config::result_files& files, std::string name,
                const place_in_series& which = {});
  journal_place(const journal_place&) = delete;
  journal_place& operator=(const journal_place&) = delete;
  /// Removes a file that was made here and has stayed empty.
  ~journal_place();

  [[nodiscard]] const std::optional<std::filesystem::path>& path() const noexcept { return path_; }
  /// The name given, or the one that no other journal in the folder has.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::optional<std::filesystem::path> path_;
  std::string name_;
  bool made_ = false;
};

}  // namespace inferbench::run

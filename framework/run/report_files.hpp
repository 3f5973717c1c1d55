// The output files of reporters. Fills in the placeholders in their names. A report for standard
// output is first written to a temporary file and printed after the run. So every reporter can
// write to standard output without mixing their texts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/plan.hpp"
#include "run/journal_path.hpp"
#include "services/console.hpp"

namespace inferbench::run {

/// Owned by main; outlives the reporters.
class report_files {
 public:
  report_files() = default;
  report_files(const report_files&) = delete;
  report_files& operator=(const report_files&) = delete;
  ~report_files();  // removes the temporary files

  /// Sets the file name of the reporter `choice`; call it before the reporter is created.
  /// "{result}" is replaced by `result`. If there are several runs, a name without "{result}" gets
  /// the number of the run, unless the option append-result of the reporter is on: then all runs
  /// go to one file. Throws base::error if
  /// a folder cannot be created.
  void settle(options::plugin_choice& choice, const std::string& result,
              const place_in_series& which);

  /// Whether settle() makes the folder of the file in the value `file` of `choice`, an option of
  /// the reporter's own: --reporter names the reporter, or the host has chosen the file.
  [[nodiscard]] static bool makes_folder(const options::plugin_choice& choice,
                                         const options::option_value& file);
  /// The name of this file in the run `which`. A placeholder stays.
  [[nodiscard]] static std::string name_in_series(const options::plugin_choice& choice,
                                                  const options::option_value& file,
                                                  const place_in_series& which);

  /// Prints the temporary files to `out`. Call it after the reporters have finished.
  void print(services::console& out) const;
  /// Removes the temporary files from the list of artifacts of `out`. Call it before
  /// print_artifacts().
  void hide_from(services::console& out) const;

 private:
  std::filesystem::path new_file();

  std::filesystem::path folder_;  // folder of the temporary files; empty: there are no temporary
                                  // files
  std::vector<std::filesystem::path> printed_;
};

}  // namespace inferbench::run

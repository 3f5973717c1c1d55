// Files of reporters that the plan names: names are filled in, and
// what is to go to standard output is written to a file first, so that any reporter can do it and
// texts never mix.
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
  ~report_files();  // removes what was written for standard output

  /// Settles the file of `choice` before it is created. `result` takes the place of "{result}";
  /// another name is numbered where the run is one of several that are not appended to one file.
  /// Throws base::error when a folder cannot be made.
  void settle(options::plugin_choice& choice, const std::string& result,
              const place_in_series& which);

  /// After the reporters have ended: what goes to standard output. In `out` nothing is told of the
  /// files that it stood in.
  void print(services::console& out) const;
  /// Before `out` tells where things were written.
  void hide_from(services::console& out) const;

 private:
  std::filesystem::path new_file();

  std::filesystem::path folder_;  // empty: nothing goes to standard output
  std::vector<std::filesystem::path> printed_;
};

}  // namespace inferbench::run

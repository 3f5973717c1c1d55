// The reporters of one run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/plan.hpp"
#include "plugin/instance.hpp"
#include "report/fanout.hpp"
#include "run/journal_path.hpp"
#include "run/report_files.hpp"

namespace inferbench::run {

/// Owned by main; must outlive the fanout over its targets.
class reporting {
 public:
  /// Sets the file names of the reporters (report_files.hpp) and creates the reporters. The clock
  /// of `shared` gives the date in the name of the run. Throws base::error if a reporter cannot be
  /// created.
  reporting(const std::vector<options::plugin_choice>& reporters, const plugin::services& shared,
            const place_in_series& which);

  [[nodiscard]] const std::vector<report::target>& targets() const noexcept { return targets_; }
  /// The name of the run, run_name(). File names may contain it.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const report_files& files() const noexcept { return files_; }
  /// The instances of the reporters, in the order of targets(). Valid as long as this object.
  [[nodiscard]] const std::vector<std::unique_ptr<plugin::instance>>& instances() const noexcept {
    return instances_;
  }

 private:
  std::string name_;
  report_files files_;
  std::vector<std::unique_ptr<plugin::instance>> instances_;
  std::vector<report::target> targets_;
};

}  // namespace inferbench::run

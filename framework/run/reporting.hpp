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

/// Owned by main; lives until the fanout over its targets has finished.
class reporting {
 public:
  /// Creates them, with their files settled (report_files.hpp). Throws base::error.
  reporting(const std::vector<options::plugin_choice>& reporters, const plugin::services& shared,
            const place_in_series& which);

  [[nodiscard]] const std::vector<report::target>& targets() const noexcept { return targets_; }
  /// The name of the run, which files may bear: run_name().
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const report_files& files() const noexcept { return files_; }
  /// In the order of targets(), as long as this lives.
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

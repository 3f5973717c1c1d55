// The reporters of one run.
#pragma once

#include <memory>
#include <vector>

#include "config/plan.hpp"
#include "plugin/instance.hpp"
#include "report/fanout.hpp"
#include "run/journal_path.hpp"

namespace inferbench::run {

/// Owned by main; lives until the fanout over its targets has finished.
class reporting {
 public:
  /// Creates them, with their result files numbered where the run is one of several that
  /// are not appended to one file. Throws base::error.
  reporting(const config::plan& plan, const plugin::services& shared, const place_in_series& which);

  [[nodiscard]] const std::vector<report::target>& targets() const noexcept { return targets_; }
  /// In the order of targets(), as long as this lives.
  [[nodiscard]] const std::vector<std::unique_ptr<plugin::instance>>& instances() const noexcept {
    return instances_;
  }

 private:
  std::vector<std::unique_ptr<plugin::instance>> instances_;
  std::vector<report::target> targets_;
};

}  // namespace inferbench::run

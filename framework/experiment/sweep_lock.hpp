// Prevents two sweeps in one folder.
#pragma once

#include <filesystem>
#include <string>

#include "base/fd.hpp"

namespace inferbench::experiment {

/// Holds a lock as long as it lives. The system releases the lock when this process ends, for
/// whatever reason, so a kill leaves no lock behind. The file stays.
class sweep_lock {
 public:
  /// `file`: it is created if it is not there; its text is the id of the process that holds the
  /// lock. Throws base::error, which names that process, if another process holds the lock.
  /// `name_setting`: the flag or key that names the experiment, for this error.
  explicit sweep_lock(const std::filesystem::path& file,
                      const std::string& name_setting = "--experiment-name");

 private:
  base::fd file_;
};

}  // namespace inferbench::experiment

// A temporary file without a name.
#pragma once

#include <string>

#include "base/fd.hpp"

namespace inferbench::base {

/// The kernel deletes the file when its last descriptor is closed, even after a crash.
class scratch_file {
 public:
  /// Throws base::error if $TMPDIR is not writable.
  scratch_file();

  [[nodiscard]] int fd() const noexcept { return file_.get(); }
  /// A path by which this process, and a child that has the descriptor, can open the file.
  [[nodiscard]] std::string path() const;

 private:
  base::fd file_;
};

}  // namespace inferbench::base

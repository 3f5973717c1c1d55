// The option `file` of a reporter that writes one file of its own, and a file that grows during the
// run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <inferbench/options.hpp>

#include "output_file.hpp"

namespace reporters {

/// Returns the path of the option `file`. Throws ifb::failure that names the option if the path is
/// empty or a folder, or if require_place() finds that it cannot be written in the way `how`.
[[nodiscard]] std::filesystem::path report_path(const ifb::path& file,
                                                output_file::mode how = output_file::mode::replace);

/// A file whose lines can be read while it is written (`tail -f`). It replaces an earlier file as
/// soon as it is opened, and what was written stays, whatever happens afterwards. For one thread.
/// Every function throws ifb::failure (IFB_E_IO) that names the path and the reason.
class growing_file {
 public:
  explicit growing_file(const std::filesystem::path& place);
  growing_file(const growing_file&) = delete;
  growing_file& operator=(const growing_file&) = delete;
  ~growing_file();

  /// Writes whole lines at once. If the disk is full, the file ends with the lines before them.
  void write(std::string_view lines);
  /// Closes the file. Some file systems report only then that they are full.
  void close();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path place_;
  long long written_ = 0;
  int fd_ = -1;
};

}  // namespace reporters

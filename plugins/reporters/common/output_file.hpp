// A file that appears either complete or not at all. If it replaces a file, it is written under a
// temporary name in the same folder and then renamed; unfinished files of processes that crashed
// are removed. If it appends to a file, the file is cut back to its former size on failure. If the
// place is not a regular file (/dev/stdout, a pipe), the text is written to it directly.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace reporters {

/// Every function throws ifb::failure (IFB_E_IO) that names the path and the reason.
class output_file {
 public:
  enum class mode { replace, append };

  output_file(const std::filesystem::path& place, mode how);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  /// Undoes everything, unless commit() was called.
  ~output_file();

  /// When appending: returns whether the file had content before.
  [[nodiscard]] bool follows_text() const noexcept { return size_before_ > 0; }

  void write(std::string_view text);
  void commit();

 private:
  void flush();
  void open_temporary();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path place_;      // the path after symbolic links were resolved
  std::filesystem::path temporary_;  // empty: the text is written directly to place_
  std::string buffer_;
  long long size_before_ = 0;
  bool restorable_ = false;  // bytes are appended to a regular file, which can be cut back
  int fd_ = -1;
};

/// Creates the folder and its parents if they are missing. Throws ifb::failure.
void make_folder(const std::filesystem::path& folder);

/// Throws ifb::failure if output_file could not write to `place`. It checks only what can be
/// checked in advance: whether the folder exists and is writable, and whether an existing file that
/// is written directly is writable.
void require_place(const std::filesystem::path& place, output_file::mode how);

}  // namespace reporters

// A file that appears whole or not at all. Replacing: written beside its place under another name,
// then renamed; unfinished files of processes that died are removed. Appending: cut back to its
// former size on failure. A place that is no regular file (/dev/stdout, a pipe) is simply written
// to.
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

  /// Appending: whether the file had content before.
  [[nodiscard]] bool follows_text() const noexcept { return size_before_ > 0; }

  void write(std::string_view text);
  void commit();

 private:
  void flush();
  void open_temporary();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path place_;      // symbolic links resolved
  std::filesystem::path temporary_;  // empty: writing to the place itself
  std::string buffer_;
  long long size_before_ = 0;
  bool restorable_ = false;  // a regular file, to which bytes were appended
  int fd_ = -1;
};

/// Makes the folder, and those above it, if they are missing. Throws ifb::failure.
void make_folder(const std::filesystem::path& folder);

/// Throws ifb::failure when output_file could not write there, as far as that shows
/// beforehand: the folder is missing or not writable, or an existing file that is written
/// in place is not writable.
void require_place(const std::filesystem::path& place, output_file::mode how);

}  // namespace reporters

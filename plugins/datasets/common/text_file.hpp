// A data file as one piece of memory. Regular files are mapped, so that a file of any
// size takes only the memory of the parts that are read; pipes are read to their end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace files {

/// Read-only once opened: any thread.
class text_file {
 public:
  /// Throws ifb::failure (IFB_E_IO, option "path") with the system's reason.
  explicit text_file(std::string path);
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;
  ~text_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// Whether the text is the file's own pages and no copy; false if it is empty.
  [[nodiscard]] bool mapped() const noexcept { return mapped_ != nullptr; }

  /// "PATH:LINE:COLUMN" of a byte; both count from 1, columns in bytes.
  [[nodiscard]] std::string place(std::size_t offset) const;

 private:
  std::string path_;
  std::string_view text_;
  std::string read_;        // if the file cannot be mapped
  void* mapped_ = nullptr;  // text_.size() bytes
};

}  // namespace files

// A data file as one piece of memory. Regular files are mapped, so that a file of any size takes
// only the memory of the parts that are read. Pipes are read to their end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace files {

/// Immutable after construction; any thread.
class text_file {
 public:
  /// Opens the file. Throws ifb::failure (IFB_E_IO, option "path") with the system's reason.
  explicit text_file(std::string path);
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;
  ~text_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// Returns whether the text is a mapping of the file and not a copy; false if the file is empty.
  [[nodiscard]] bool mapped() const noexcept { return mapped_ != nullptr; }

  /// Frees the memory of the pages of a mapping; they are read again when they are used. The text
  /// stays valid.
  void release_pages() const noexcept;

  /// Returns "PATH:LINE:COLUMN" of the byte at `offset`. Lines and columns count from 1; columns
  /// count bytes.
  [[nodiscard]] std::string place(std::size_t offset) const;

 private:
  std::string path_;
  std::string_view text_;
  std::string read_;        // the text, if the file cannot be mapped
  void* mapped_ = nullptr;  // the mapping, text_.size() bytes
};

}  // namespace files

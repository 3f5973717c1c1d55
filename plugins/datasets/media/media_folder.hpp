// The folder to which the paths in the rows of a data set are relative, and the files that these
// paths mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace row_media {

/// In bytes. A larger file is refused unread.
inline constexpr std::uint64_t largest_file = 512ULL << 20U;

/// Immutable; any thread.
class media_folder {
 public:
  /// The rows are the user's own, so any path is allowed. A relative path is relative to `folder`,
  /// or, if the file exists only there, to the current folder.
  [[nodiscard]] static media_folder of_user(const std::string& folder);

  /// The rows are from the internet. A path must be relative, and its file must be inside `folder`,
  /// also after all symbolic links were followed. Exception: if `folder` is a snapshot in the cache
  /// of Hugging Face's libraries, links may lead to the blobs of the same repository.
  [[nodiscard]] static media_folder of_strangers(const std::string& folder);

  /// Returns the absolute path that `path` means. The file need not exist. Throws unusable if the
  /// path is empty or not allowed.
  [[nodiscard]] std::string resolved(std::string_view path) const;

  /// Returns the content of the regular file at `path`, a result of resolved(). Directories, pipes
  /// and devices are refused without blocking. Throws unusable with the path and the reason.
  [[nodiscard]] std::string read(const std::string& path) const;

 private:
  media_folder(const std::string& folder, bool closed);
  [[nodiscard]] std::string real_path(const std::string& path) const;

  std::string folder_;               // absolute
  std::vector<std::string> inside_;  // the folders in which files may be; empty: everywhere
};

}  // namespace row_media

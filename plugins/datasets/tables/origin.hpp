// The place of a data set's files: a local file, a local folder, or a repository of the hub.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "attached_files.hpp"
#include "common/hub/environment.hpp"
#include "common/hub/repository.hpp"

namespace tables {

/// May be used by only one thread at a time. Files are named by their paths in the data set, with
/// slashes. All functions that may use the hub throw ifb::failure with the option "path".
class origin {
 public:
  /// `path` is a file, a folder or an id of the hub. Throws ifb::failure (IFB_E_CONFIG, options
  /// "path", "revision") if it is none of these.
  origin(ifb::host host, hub::environment settings, const std::string& path,
         const std::string& revision);

  /// Returns the name of the file if `path` is a single file; otherwise empty.
  [[nodiscard]] const std::string& single_file() const noexcept { return file_; }
  [[nodiscard]] bool is_local() const { return repository_->is_local(); }
  /// Returns "; REASON" if files() has only the files of the cache, for messages; otherwise empty.
  [[nodiscard]] std::string limits() const;

  [[nodiscard]] const std::vector<hub::listed_file>& files();
  /// Returns the text of a small file, at most its first 4 MiB; nullopt if the data set lacks it.
  [[nodiscard]] std::optional<std::string> text_of(const std::string& file);
  /// Returns the absolute path of a file, which is downloaded if necessary.
  [[nodiscard]] std::string fetch(const std::string& file);
  [[nodiscard]] bool is_at_hand(const std::string& file) const {
    return repository_->is_at_hand(file);
  }
  /// Returns the path that fetch() will return. The commit must be known: after files().
  [[nodiscard]] std::string path_of(const std::string& file) const {
    return (repository_->folder() / file).string();
  }
  /// Returns the size of a file in bytes according to files().
  [[nodiscard]] std::uint64_t size_of(const std::string& file);

  /// From now on, the files are the hub's own conversion of the data set to Parquet, which exists
  /// for many data sets of other formats. Returns false if there is none.
  [[nodiscard]] bool use_conversion();

  /// Returns the files of the data set itself, also after use_conversion(). The commit must be
  /// known: after files().
  [[nodiscard]] std::unique_ptr<attached_files> attached() const;

  /// The data set and a file of it, for messages.
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::string title(const std::string& file) const;

 private:
  ifb::host host_;
  hub::environment settings_;
  std::string path_;
  std::string revision_;
  std::string file_;
  std::unique_ptr<hub::repository> repository_;  // of the files with rows
  std::unique_ptr<hub::repository> own_;         // set if the rows are of the conversion
  std::optional<std::vector<hub::listed_file>> files_;
};

}  // namespace tables

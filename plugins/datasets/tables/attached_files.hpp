// The files of a data set that its rows name by paths: images, videos and sound. They are fetched
// one by one, and never the whole data set.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "common/hub/environment.hpp"
#include "common/hub/repository.hpp"

namespace tables {

/// Any thread. Several threads can download at the same time.
class attached_files {
 public:
  /// `folder`: the absolute path of the local data set, or of its snapshot in the cache, which is
  /// created if it does not exist. `name` is the folder too, or the repository with the commit to
  /// which the rows belong.
  attached_files(ifb::host host, hub::environment settings, hub::repository_name name,
                 std::string folder);

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

  /// Returns the absolute path of a file, which is downloaded if necessary; nullopt if the data set
  /// lacks it. `file` is a relative path with slashes. Throws ifb::failure: IFB_E_DATA if this file
  /// cannot be used, because its path or a link leads out of the data set, or because it is too
  /// large or arrives damaged; other codes if the hub cannot be used, and IFB_E_CANCELLED.
  [[nodiscard]] std::optional<std::string> fetch(const std::string& file);

 private:
  using repository = std::unique_ptr<hub::repository>;

  [[nodiscard]] repository take();
  void give_back(repository one);
  [[nodiscard]] std::optional<std::string> find(hub::repository& from, const std::string& file);
  void check_place(const std::string& path, const std::string& file) const;

  ifb::host host_;
  hub::environment settings_;
  hub::repository_name name_;
  std::string folder_;
  std::vector<std::string> inside_;  // canonical folders in which files may lie

  std::mutex mutex_;
  std::vector<repository> idle_;  // a repository may be used by only one thread at a time
  bool told_ = false;             // that files are downloaded
};

}  // namespace tables

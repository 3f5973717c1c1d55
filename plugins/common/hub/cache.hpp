// One repository in the cache that Hugging Face's libraries share:
//
//   models--org--name/
//     refs/main                 the commit to which a branch or tag pointed
//     blobs/ETAG                the content of a file
//     snapshots/COMMIT/a/b      a link to the content
//     .no_exist/COMMIT/a/b      a mark: the hub does not have this file
//
// Hugging Face's libraries find the files that this library writes, and this library finds their
// files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"

namespace hub {

/// [one thread] Never uses the network. All names passed to it must be safe (names.hpp).
class cache {
 public:
  cache(std::filesystem::path root, repository_type type, std::string_view id);

  [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }

  /// Returns the commit of `revision` according to the cache; empty if it is unknown.
  [[nodiscard]] std::string commit_of(const std::string& revision) const;

  enum class presence : std::uint8_t { unknown, absent, present };
  [[nodiscard]] presence look_up(const std::string& commit, const std::string& file) const;
  [[nodiscard]] std::filesystem::path snapshot(const std::string& commit,
                                               const std::string& file) const;
  /// Returns the names of the files directly in a folder of a snapshot, in ascending order.
  [[nodiscard]] std::vector<std::string> list(const std::string& commit,
                                              const std::string& folder) const;

  [[nodiscard]] std::filesystem::path blob(const std::string& etag) const;
  [[nodiscard]] std::filesystem::path lock_of(const std::string& etag) const;

  // Functions that write. remember() and mark_absent() only save a later request. They do nothing
  // if the cache cannot be written. The others throw ifb::failure (IFB_E_IO) that names the path.
  void remember(const std::string& revision, const std::string& commit) const;
  void mark_absent(const std::string& commit, const std::string& file) const;
  void make_folder(const std::filesystem::path& folder) const;
  /// Creates the snapshot's file as a link to the blob. The caller must hold the blob's lock.
  void link(const std::string& etag, const std::string& commit, const std::string& file) const;

 private:
  std::filesystem::path root_;
  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace hub

// One repository in the cache that Hugging Face's libraries share:
//
//   models--org--name/
//     refs/main                 the commit that a branch or tag stood at
//     blobs/ETAG                a file's content
//     snapshots/COMMIT/a/b      a link to it
//     .no_exist/COMMIT/a/b      the hub has no such file
//
// Hugging Face's libraries find the files that this library writes, and the other way round.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"

namespace hub {

/// [one thread] Never uses the network. Names passed to it are safe (names.hpp).
class cache {
 public:
  cache(std::filesystem::path root, repository_type type, std::string_view id);

  [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }

  /// The commit of `revision` as the cache has it, or empty.
  [[nodiscard]] std::string commit_of(const std::string& revision) const;

  enum class presence : std::uint8_t { unknown, absent, present };
  [[nodiscard]] presence look_up(const std::string& commit, const std::string& file) const;
  [[nodiscard]] std::filesystem::path snapshot(const std::string& commit,
                                               const std::string& file) const;
  /// Files directly in a folder of a snapshot, ascending.
  [[nodiscard]] std::vector<std::string> list(const std::string& commit,
                                              const std::string& folder) const;

  [[nodiscard]] std::filesystem::path blob(const std::string& etag) const;
  [[nodiscard]] std::filesystem::path lock_of(const std::string& etag) const;

  // Functions that write. remember() and mark_absent() only save a later request and do nothing
  // where nothing can be written; the others throw ifb::failure (IFB_E_IO) naming the path.
  void remember(const std::string& revision, const std::string& commit) const;
  void mark_absent(const std::string& commit, const std::string& file) const;
  void make_folder(const std::filesystem::path& folder) const;
  /// Makes the snapshot's file from the blob, whose lock the caller holds.
  void link(const std::string& etag, const std::string& commit, const std::string& file) const;

 private:
  std::filesystem::path root_;
  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace hub

// Files of a model or a data set, from one of three places: a local folder, the cache that Hugging
// Face's libraries share, or the hub, from which they are downloaded into the cache.
//
//   hub::repository model(host, hub::read_environment(), {.id = "org/name"});
//   std::string file = model.get("tokenizer.json");
//
// A file in the cache is used without asking the hub whether the branch has changed. All files come
// from one commit.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "cache.hpp"
#include "environment.hpp"
#include "names.hpp"
#include "remote.hpp"

namespace hub {

struct repository_name {
  std::string id;                 // "org/name", or a folder; an existing folder takes precedence
  std::string revision = "main";  // branch, tag or commit
  repository_type type = repository_type::model;
};

/// May be used by only one thread at a time.
class repository {
 public:
  /// Throws ifb::failure (IFB_E_CONFIG) if `name` is neither a folder nor a valid name on the hub.
  /// Also throws it if the cache lacks the repository and the network must not be used.
  repository(ifb::host host, environment settings, repository_name name);

  /// Returns the path of a file, which is downloaded if necessary; nullopt if the repository lacks
  /// the file. `file` is a relative path with slashes. If the cache knows the commit, but not
  /// whether the file exists, and the hub cannot be reached, also returns nullopt and writes a line
  /// to the log. Throws ifb::failure.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& file);
  /// Same contract as find(), but throws ifb::failure if the file does not exist.
  [[nodiscard]] std::filesystem::path get(const std::string& file);
  /// Returns the names of the files directly in a folder of the repository, in ascending order;
  /// empty if the folder does not exist.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder);
  /// Returns all files of the repository in ascending order of their paths. If the hub cannot be
  /// asked, these are the files that the cache has, and a line is written to the log. Throws
  /// ifb::failure.
  [[nodiscard]] std::vector<listed_file> files();
  /// Returns whether find() gets the file without a download.
  [[nodiscard]] bool is_at_hand(const std::string& file) const;
  /// Returns whether it is certain that the repository, and not only the cache, lacks the file. It
  /// is after find() has asked the hub.
  [[nodiscard]] bool lacks(const std::string& file) const;

  /// Returns the reason why get() fails: which file is missing, where it was searched, and a
  /// remedy.
  [[nodiscard]] std::string missing(const std::string& file) const;
  /// Returns why files() has only the files of the cache, for a message; empty if it has all files.
  [[nodiscard]] std::string limits() const;
  [[nodiscard]] bool is_local() const noexcept { return !folder_.empty(); }
  /// Returns the absolute path of the local folder, or "org/name@commit". The commit is known after
  /// the first file was found.
  [[nodiscard]] std::string source() const;
  /// Returns the commit of the files; empty for a local folder, and until it is known.
  [[nodiscard]] const std::string& commit() const noexcept { return commit_; }
  /// Returns the absolute path of the local folder, or of the snapshot in the cache. The snapshot
  /// is known, and may exist, after the first file was found.
  [[nodiscard]] std::filesystem::path folder() const;

 private:
  [[nodiscard]] bool may_ask() const;
  [[nodiscard]] remote& hub_itself();
  void settle(const std::string& commit);
  void give_up(const unavailable& why);

  ifb::host host_;
  environment settings_;
  repository_name name_;
  std::filesystem::path folder_;  // the folder of a local repository, else empty
  cache cache_;
  std::unique_ptr<remote> remote_;
  std::string commit_;
  bool cached_ = false;  // the cache already knew the commit
  std::string gave_up_;  // the reason why the hub is no longer asked; empty: the hub may be asked
};

}  // namespace hub

// Files of a model or a data set, wherever they are: a local folder, the cache that Hugging Face's
// libraries share, or the hub, from which they are brought into that cache.
//
//   hub::repository model(host, hub::read_environment(), {.id = "org/name"});
//   std::string file = model.get("tokenizer.json");
//
// A file in the cache is used as it is: the hub is not asked whether the branch has moved since.
// All files come from one commit.
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
  std::string id;                 // "org/name", or a folder; an existing folder wins
  std::string revision = "main";  // branch, tag or commit
  repository_type type = repository_type::model;
};

/// [one thread]
class repository {
 public:
  /// Throws ifb::failure (IFB_E_CONFIG) where `name` is neither a folder nor can be on the hub, and
  /// if it is not in the cache and the network must not be used.
  repository(ifb::host host, environment settings, repository_name name);

  /// The path of a file, which is fetched if necessary; nullopt if the repository lacks the file.
  /// `file` is a relative path with slashes. If the cache has the commit but neither the file nor a
  /// mark of its absence, and the hub cannot be asked, also returns nullopt and writes a line to
  /// the log. Throws ifb::failure.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& file);
  /// The same for a file that must exist.
  [[nodiscard]] std::filesystem::path get(const std::string& file);
  /// The files directly in a folder of the repository, sorted by name; empty if there is no such
  /// folder.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder);

  /// Why get() fails, in words: what was looked for, where, and what to do.
  [[nodiscard]] std::string missing(const std::string& file) const;
  [[nodiscard]] bool is_local() const noexcept { return !folder_.empty(); }
  /// The folder, absolute, or "org/name@commit". Known after the first file.
  [[nodiscard]] std::string source() const;

 private:
  [[nodiscard]] bool may_ask();
  [[nodiscard]] remote& hub_itself();
  void settle(const std::string& commit);
  void give_up(const unavailable& why);

  ifb::host host_;
  environment settings_;
  repository_name name_;
  std::filesystem::path folder_;  // of a local one, else empty
  cache cache_;
  std::unique_ptr<remote> remote_;
  std::string commit_;
  bool cached_ = false;  // the commit is one that the cache had before
  std::string gave_up_;  // why the hub is not asked any more
};

}  // namespace hub

// The hub itself: its answers about one repository, and the content of its files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>

#include "environment.hpp"
#include "http.hpp"
#include "names.hpp"

namespace hub {

/// Thrown if the hub could not be reached or refused a request. The message contains the reason and
/// a remedy.
class unavailable : public ifb::failure {
 public:
  using failure::failure;
};

/// The hub's answer about one file.
struct file_facts {
  bool exists = false;
  // the commit of the requested revision; may be empty if the file does not exist
  std::string commit;
  std::string etag;                   // safe as a file name
  std::string sha256;                 // SHA-256 of the content if the hub reports it, else empty
  std::optional<std::uint64_t> size;  // size in bytes
};

/// A file in the listing of a repository.
struct listed_file {
  std::string path;        // from the root of the repository, with slashes
  std::uint64_t size = 0;  // in bytes

  [[nodiscard]] friend bool operator==(const listed_file&, const listed_file&) = default;
};

/// [one thread] Retries after failures that may be temporary, follows redirects, and sends the
/// token only to the origin of the endpoint. Every function throws unavailable, and ifb::failure if
/// the run is being stopped.
class remote {
 public:
  remote(ifb::host host, const environment& settings, repository_type type, std::string id);

  [[nodiscard]] file_facts ask(const std::string& revision, const std::string& file);

  /// Fetches the bytes of a file, beginning at offset `from`. The answer has status 200 (from the
  /// beginning), 206 (the rest), 416 (there is no rest), or 0 if the transfer was interrupted but
  /// may be resumed.
  [[nodiscard]] http_answer get(const std::string& commit, const std::string& file,
                                std::uint64_t from, const body_sink& sink);

  /// Returns the files directly in a folder; nullopt if the folder does not exist.
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& revision,
                                                             const std::string& folder);

  /// Returns all files of the repository, in ascending order of their paths. Paths that lead out of
  /// the repository are left out.
  [[nodiscard]] std::vector<listed_file> list_all(const std::string& revision);

  /// Waits before attempt number `attempt`, counted from 1. Throws ifb::failure if the run is being
  /// stopped.
  void wait(int attempt, const http_answer& failed) const;

 private:
  [[nodiscard]] std::string address(const std::string& revision, const std::string& file) const;
  [[nodiscard]] http_answer follow(http_request what, const body_sink& sink);
  [[nodiscard]] http_answer with_retries(const http_request& what, const body_sink& sink,
                                         const std::function<void()>& before_each = {});
  [[nodiscard]] std::string address_of_tree(const std::string& revision) const;
  [[nodiscard]] bool walk(std::string url, const std::function<void(const listed_file&)>& take);
  [[noreturn]] void refuse(const http_answer& answer, const std::string& what) const;

  ifb::host host_;
  environment settings_;
  repository_type type_;
  std::string id_;
  std::string origin_;
  http_client client_;
};

}  // namespace hub

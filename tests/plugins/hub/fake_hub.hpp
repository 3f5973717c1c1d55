// A fake hub: the files of one repository, with the answers of Hugging Face's hub and a store of
// large files on another port. Also a temporary folder for a cache.
//
// The repository is a model, or a data set if its id begins with "datasets/". A data set can have a
// conversion to Parquet on a branch of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/hub/environment.hpp"
#include "plugins/hub/fake_server.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace hub_test {

constexpr const char* commit = "0123456789abcdef0123456789abcdef01234567";
constexpr const char* converted_commit = "89abcdef0123456789abcdef0123456789abcdef";
// The SHA-256 of "a large file".
constexpr const char* large_sha256 =
    "683adcc31938cfea071a313d7ecf9d19a74583dd0640f3c6d664079d52feb15f";

struct folder {
  inferbench::support::temporary_folder files;
  std::filesystem::path path = files.root;
};

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// For tests that change the hub's answers between two requests: after each request the client asks
/// the host whether to stop, and this call takes the lock of the answers.
inline void see_answers(const support::host& host) {
  const_cast<ifb_host*>(host.table())->cancelled = [](const ifb_host*) -> std::uint32_t {
    const std::lock_guard lock(fake_server::answering());
    return 0;
  };
}

struct hub_file {
  std::string text;
  std::string etag;
  bool large = false;
};

class fake_hub {
 public:
  /// Called before the hub's own answer; its result replaces the answer.
  using special = std::function<std::optional<response>(const request&)>;

  fake_hub()
      : store([this](const request& asked) { return of_store(asked); }),
        server([this](const request& asked) { return of_hub(asked); }) {}

  /// The settings of a client of this hub.
  [[nodiscard]] hub::environment settings(const std::filesystem::path& cache) const {
    hub::environment out;
    out.cache = cache;
    out.endpoint = server.address();
    out.token = "hf_secret";
    out.pause = std::chrono::milliseconds(0);
    return out;
  }

  using file_map = std::map<std::string, hub_file>;

  std::string id = "org/name";
  file_map files;
  file_map converted;           // the branch refs/convert/parquet; empty: there is no such branch
  std::size_t page = SIZE_MAX;  // number of files in a page of a listing of all files
  special before_hub;
  special before_store;

  [[nodiscard]] static response ranged(const request& asked, const std::string& text) {
    const std::string range = asked.header("range");
    if (range.empty()) return {200, {}, text};
    const std::size_t from = std::stoull(range.substr(range.find('=') + 1));
    if (from >= text.size()) return {416, {}, ""};
    return {
        206,
        {{"Content-Range", "bytes " + std::to_string(from) + "-" + std::to_string(text.size() - 1) +
                               "/" + std::to_string(text.size())}},
        text.substr(from)};
  }

 private:
  response of_hub(const request& asked) {
    if (before_hub) {
      if (auto said = before_hub(asked)) return *std::move(said);
    }
    const std::string api = (id.starts_with("datasets/") ? "/api/" : "/api/models/") + id;
    if (asked.target.starts_with(api + "/tree/")) return listing(asked.target);
    const std::string start = "/" + id + "/resolve/";
    if (!asked.target.starts_with(start)) return {404, {{"X-Error-Code", "RepoNotFound"}}, ""};
    const auto slash = asked.target.find('/', start.size());
    const std::string revision = asked.target.substr(start.size(), slash - start.size());
    const std::string name = asked.target.substr(slash + 1);
    const file_map* const branch = branch_of(revision);
    if (branch == nullptr) return {404, {{"X-Error-Code", "RevisionNotFound"}}, ""};
    const std::string head = branch == &files ? commit : converted_commit;
    const auto at = branch->find(name);
    if (at == branch->end())
      return {404, {{"X-Error-Code", "EntryNotFound"}, {"X-Repo-Commit", head}}, ""};
    const hub_file& file = at->second;
    if (file.large)
      return {302,
              {{"Location", store.address() + "/" + name},
               {"X-Repo-Commit", head},
               {"X-Linked-Etag", "\"" + file.etag + "\""},
               {"X-Linked-Size", std::to_string(file.text.size())}},
              ""};
    response out = ranged(asked, file.text);
    out.headers.emplace_back("ETag", "\"" + file.etag + "\"");
    out.headers.emplace_back("X-Repo-Commit", head);
    return out;
  }
  [[nodiscard]] const file_map* branch_of(const std::string& revision) const {
    if (revision == "main" || revision == commit) return &files;
    const bool other = revision == "refs%2Fconvert%2Fparquet" || revision == converted_commit;
    return other && !converted.empty() ? &converted : nullptr;
  }
  /// The files of a folder, /api/models/ID/tree/REVISION/FOLDER, or all files page by page,
  /// /api/models/ID/tree/REVISION?recursive=true
  [[nodiscard]] response listing(const std::string& target) const {
    const auto tree = target.find("/tree/") + 6;
    const auto end = target.find_first_of("/?", tree);
    const bool all = target[end] == '?';
    const file_map* const branch = branch_of(target.substr(tree, end - tree));
    if (branch == nullptr) return {404, {{"X-Error-Code", "RevisionNotFound"}}, ""};
    const std::string inside = all ? "" : target.substr(end + 1) + "/";
    const auto cursor = target.find("&cursor=");
    const std::size_t first = cursor == target.npos ? 0 : std::stoul(target.substr(cursor + 8));
    std::string out;
    std::size_t number = 0;
    for (const auto& [name, file] : *branch) {
      if (!name.starts_with(inside) || number++ < first || number - first > page) continue;
      out += (out.empty() ? "[" : ",") + std::string(R"({"type":"file","size":)") +
             std::to_string(file.text.size()) + R"(,"path":")" + name + "\"}";
    }
    if (out.empty() && !all) return {404, {{"X-Error-Code", "EntryNotFound"}}, ""};
    response said{200, {}, (out.empty() ? "[" : out) + "]"};
    if (all && page < branch->size() && first + page < branch->size())
      said.headers.emplace_back("Link", "<" + target.substr(0, cursor) + "&cursor=" +
                                            std::to_string(first + page) + ">; rel=\"next\"");
    return said;
  }
  response of_store(const request& asked) {
    if (before_store) {
      if (auto said = before_store(asked)) return *std::move(said);
    }
    const std::string name = asked.target.substr(1);
    return ranged(asked, (files.contains(name) ? files : converted).at(name).text);
  }

 public:
  // The last members, so that their threads end before the members that they use are destroyed.
  fake_server store;
  fake_server server;
};

}  // namespace hub_test

// A fake hub: the files of one repository, with the answers of Hugging Face's hub and a store of
// large files on another port. Also a temporary folder for a cache.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "common/hub/environment.hpp"
#include "plugins/hub/fake_server.hpp"
#include "support/plugin_box.hpp"

namespace hub_test {

constexpr const char* commit = "0123456789abcdef0123456789abcdef01234567";
// The SHA-256 of "a large file".
constexpr const char* large_sha256 =
    "683adcc31938cfea071a313d7ecf9d19a74583dd0640f3c6d664079d52feb15f";

struct folder {
  folder() {
    std::string name = testing::TempDir() + "hub-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
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

  std::string id = "org/name";
  std::map<std::string, hub_file> files;
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
    if (asked.target.starts_with("/api/models/" + id + "/tree/")) return listing(asked.target);
    const std::string start = "/" + id + "/resolve/";
    if (!asked.target.starts_with(start)) return {404, {{"X-Error-Code", "RepoNotFound"}}, ""};
    const auto slash = asked.target.find('/', start.size());
    const std::string revision = asked.target.substr(start.size(), slash - start.size());
    const std::string name = asked.target.substr(slash + 1);
    if (revision != "main" && revision != commit)
      return {404, {{"X-Error-Code", "RevisionNotFound"}}, ""};
    const auto at = files.find(name);
    if (at == files.end())
      return {404, {{"X-Error-Code", "EntryNotFound"}, {"X-Repo-Commit", commit}}, ""};
    const hub_file& file = at->second;
    if (file.large)
      return {302,
              {{"Location", store.address() + "/" + name},
               {"X-Repo-Commit", commit},
               {"X-Linked-Etag", "\"" + file.etag + "\""},
               {"X-Linked-Size", std::to_string(file.text.size())}},
              ""};
    response out = ranged(asked, file.text);
    out.headers.emplace_back("ETag", "\"" + file.etag + "\"");
    out.headers.emplace_back("X-Repo-Commit", commit);
    return out;
  }
  /// The files of a folder: /api/models/ID/tree/REVISION/FOLDER
  [[nodiscard]] response listing(const std::string& target) const {
    const auto tree = target.find("/tree/") + 6;
    const std::string inside = target.substr(target.find('/', tree) + 1) + "/";
    std::string out;
    for (const auto& [name, file] : files) {
      if (name.starts_with(inside))
        out += (out.empty() ? "[" : ",") + std::string(R"({"type":"file","path":")") + name + "\"}";
    }
    if (out.empty()) return {404, {{"X-Error-Code", "EntryNotFound"}}, ""};
    return {200, {}, out + "]"};
  }
  response of_store(const request& asked) {
    if (before_store) {
      if (auto said = before_store(asked)) return *std::move(said);
    }
    return ranged(asked, files.at(asked.target.substr(1)).text);
  }

 public:
  // The last members, so that their threads end before the members that they use are destroyed.
  fake_server store;
  fake_server server;
};

}  // namespace hub_test

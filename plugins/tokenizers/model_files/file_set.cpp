#include "file_set.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <inferbench/guard.hpp>

namespace tokenizers::model_files {

namespace fs = std::filesystem;

namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string folder_of(const std::string& id) {
  if (!is_file(id)) return id;
  const std::string folder = fs::path(id).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Adds the option at fault to a failure, because the hub's library does not know the options of
/// this plugin.
template <typename call>
auto blaming(const std::string& option, call&& body) {
  try {
    return body();
  } catch (const ifb::failure& e) {
    throw ifb::failure(e.code(), e.message(), e.option().empty() ? option : e.option());
  }
}

hub::repository open(ifb::host host, const hub::environment& settings, const std::string& id,
                     std::string revision, const std::string& option) {
  if (revision.empty()) revision = "main";
  return blaming(option, [&]() -> hub::repository {
    return {host, settings, {.id = folder_of(id), .revision = std::move(revision)}};
  });
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string text;
  if (in) {
    text.resize(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
  }
  if (!in)
    throw ifb::failure(IFB_E_IO, "cannot read " + file.string() + ": " + std::strerror(errno));
  return text;
}

}  // namespace

file_set::file_set(ifb::host host, const hub::environment& settings, const std::string& id,
                   std::string revision, std::string option)
    : option_(std::move(option)),
      file_(is_file(id) ? fs::path(id).filename().string() : std::string{}),
      repository_(open(host, settings, id, std::move(revision), option_)) {}

std::string file_set::given_or(std::string_view usual) const {
  return file_.empty() ? std::string(usual) : file_;
}

std::optional<fs::path> file_set::find(const std::string& name) {
  return blaming(option_, [&] { return repository_.find(name); });
}

std::optional<std::string> file_set::read(const std::string& name) {
  const auto path = find(name);
  if (!path) return std::nullopt;
  std::string text = content_of(*path);
  decide(name, text);
  return text;
}

std::vector<std::string> file_set::list(const std::string& folder) {
  return blaming(option_, [&] { return repository_.list(folder); });
}

std::vector<std::string> file_set::present(std::initializer_list<const char*> names) {
  std::vector<std::string> out;
  for (const char* name : names) {
    if (find(name)) out.emplace_back(name);
  }
  return out;
}

void file_set::decide(std::string_view name, std::string_view value) {
  // The lengths come first, so that two different sets of files never result in the same bytes.
  digest_.update(std::to_string(name.size()) + "," + std::to_string(value.size()) + ":");
  digest_.update(name);
  digest_.update(value);
}

std::vector<std::string> file_set::with_extension(std::string_view extension) const {
  std::vector<std::string> out;
  std::error_code none;
  for (fs::directory_iterator at(source(), none), end; !none && at != end; at.increment(none))
    if (at->path().extension() == extension) out.push_back(at->path().filename().string());
  std::ranges::sort(out);
  return out;
}

void refuse_file(const file_set& files,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> others) {
  const std::string given = files.given_or("");
  for (const auto& [ending, mode] : others)
    if (given.ends_with(ending))
      throw ifb::failure(IFB_E_UNSUPPORTED,
                         "\"" + given + "\" is what the tokenizer mode " + std::string(mode) +
                             " reads; give --tokenizer-mode " + std::string(mode),
                         files.option());
}

}  // namespace tokenizers::model_files

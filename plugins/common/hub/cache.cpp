#include "cache.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <unistd.h>

#include <inferbench/guard.hpp>

namespace hub {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::error_code& why) {
  throw ifb::failure(IFB_E_IO, "cannot write " + path.string() + ": " + why.message() +
                                   "; set HF_HUB_CACHE to a folder that can be written");
}

/// Replaces the content atomically: another process sees either the old content or the new content.
bool write_whole(const fs::path& file, std::string_view text) {
  const fs::path beside = file.string() + "." + std::to_string(::getpid()) + ".new";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << text;
    if (!out.flush()) return false;
  }
  std::error_code why;
  fs::rename(beside, file, why);
  return !why;
}

}  // namespace

cache::cache(fs::path root, repository_type type, std::string_view id)
    : root_(std::move(root)), name_(cache_folder_name(type, id)), folder_(root_ / name_) {}

std::string cache::commit_of(const std::string& revision) const {
  std::ifstream in(folder_ / "refs" / revision, std::ios::binary);
  std::string text(128, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.pop_back();
  if (is_plain_name(text)) return text;
  std::error_code ignored;
  if (is_commit_hash(revision) && fs::is_directory(folder_ / "snapshots" / revision, ignored))
    return revision;
  return {};
}

cache::presence cache::look_up(const std::string& commit, const std::string& file) const {
  std::error_code ignored;
  if (fs::is_regular_file(snapshot(commit, file), ignored)) return presence::present;
  if (fs::is_regular_file(folder_ / ".no_exist" / commit / file, ignored)) return presence::absent;
  return presence::unknown;
}

fs::path cache::snapshot(const std::string& commit, const std::string& file) const {
  return folder_ / "snapshots" / commit / file;
}

std::vector<std::string> cache::list(const std::string& commit, const std::string& folder) const {
  std::vector<std::string> out;
  std::error_code why;
  for (fs::directory_iterator at(snapshot(commit, folder), why), end; !why && at != end;
       at.increment(why)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) out.push_back(at->path().filename().string());
  }
  std::ranges::sort(out);
  return out;
}

fs::path cache::blob(const std::string& etag) const { return folder_ / "blobs" / etag; }

fs::path cache::lock_of(const std::string& etag) const {
  return root_ / ".locks" / name_ / (etag + ".lock");
}

void cache::remember(const std::string& revision, const std::string& commit) const {
  if (revision == commit || commit_of(revision) == commit) return;
  const fs::path file = folder_ / "refs" / revision;
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  write_whole(file, commit);
}

void cache::mark_absent(const std::string& commit, const std::string& file) const {
  const fs::path mark = folder_ / ".no_exist" / commit / file;
  std::error_code ignored;
  fs::create_directories(mark.parent_path(), ignored);
  const std::ofstream touched(mark, std::ios::app);
}

void cache::make_folder(const fs::path& folder) const {
  std::error_code why;
  fs::create_directories(folder, why);
  if (why) refuse(folder, why);
}

void cache::link(const std::string& etag, const std::string& commit,
                 const std::string& file) const {
  const fs::path pointer = snapshot(commit, file);
  make_folder(pointer.parent_path());
  std::error_code why;
  if (fs::exists(pointer, why)) return;
  // The caller holds the lock of the blob, so an existing file of this name was left by a process
  // that ended.
  const fs::path beside = pointer.string() + ".new";
  const fs::path target = blob(etag).lexically_relative(pointer.parent_path());
  fs::remove(beside, why);
  fs::create_symlink(target, beside, why);
  if (why) fs::copy_file(blob(etag), beside, fs::copy_options::overwrite_existing, why);
  if (!why) fs::rename(beside, pointer, why);
  if (why) refuse(pointer, why);
}

}  // namespace hub

#include "repository.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <inferbench/guard.hpp>

#include "download.hpp"
#include "folder_listing.hpp"

namespace hub {

namespace fs = std::filesystem;

repository::repository(ifb::host host, environment settings, repository_name name)
    : host_(host),
      settings_(std::move(settings)),
      name_(std::move(name)),
      cache_(settings_.cache, name_.type, name_.id) {
  std::error_code ignored;
  if (fs::is_directory(name_.id, ignored)) {
    folder_ = fs::absolute(name_.id).lexically_normal();
    return;
  }
  if (!is_repository_id(name_.id))
    throw ifb::failure(IFB_E_CONFIG, "there is no folder \"" + name_.id +
                                         "\", and on the hub names are \"org/name\"");
  if (!is_inside_path(name_.revision))
    throw ifb::failure(IFB_E_CONFIG, "\"" + name_.revision + "\" is not a branch, tag or commit",
                       "revision");
  commit_ = cache_.commit_of(name_.revision);
  cached_ = !commit_.empty();
  if (commit_.empty() && settings_.offline)
    throw ifb::failure(IFB_E_CONFIG, name_.id + " (revision " + name_.revision +
                                         ") is not in the cache " + settings_.cache.string() +
                                         ", and HF_HUB_OFFLINE forbids fetching it; unset that, "
                                         "set HF_HUB_CACHE to the cache that has it, or give a "
                                         "local folder (there is no folder " +
                                         name_.id + ")");
}

bool repository::may_ask() const { return !settings_.offline && gave_up_.empty(); }

remote& repository::hub_itself() {
  if (remote_ == nullptr)
    remote_ = std::make_unique<remote>(host_, settings_, name_.type, name_.id);
  return *remote_;
}

void repository::settle(const std::string& commit) {
  if (commit.empty()) return;
  if (commit_.empty()) {
    commit_ = commit;
    cache_.remember(name_.revision, commit);
  }
}

void repository::give_up(const unavailable& why) {
  gave_up_ = why.message();
  host_.info(name_.id + ": taking what the cache has: " + gave_up_);
}

std::optional<fs::path> repository::find(const std::string& file) {
  if (!is_inside_path(file))
    throw ifb::failure(IFB_E_CONFIG, "\"" + file + "\" is not a path inside a repository");
  if (is_local()) {
    std::error_code ignored;
    if (fs::is_regular_file(folder_ / file, ignored)) return folder_ / file;
    return std::nullopt;
  }
  if (!commit_.empty()) {
    const auto found = cache_.look_up(commit_, file);
    if (found == cache::presence::present) return cache_.snapshot(commit_, file);
    if (found == cache::presence::absent) return std::nullopt;
  }
  if (!may_ask()) return std::nullopt;
  file_facts facts;
  try {
    facts = hub_itself().ask(commit_.empty() ? name_.revision : commit_, file);
  } catch (const unavailable& why) {
    if (!cached_) throw;
    give_up(why);
    return std::nullopt;
  }
  settle(facts.commit);
  if (!facts.exists) {
    if (!commit_.empty()) cache_.mark_absent(commit_, file);
    return std::nullopt;
  }
  facts.commit = commit_;
  download(host_, settings_, cache_, hub_itself(), name_.id, file, facts);
  return cache_.snapshot(commit_, file);
}

fs::path repository::get(const std::string& file) {
  if (auto found = find(file)) return *std::move(found);
  throw ifb::failure(IFB_E_CONFIG, missing(file));
}

std::vector<std::string> repository::list(const std::string& folder) {
  if (!is_inside_path(folder))
    throw ifb::failure(IFB_E_CONFIG, "\"" + folder + "\" is not a path inside a repository");
  std::vector<std::string> out;
  if (is_local()) {
    std::error_code why;
    for (fs::directory_iterator at(folder_ / folder, why), end; !why && at != end;
         at.increment(why)) {
      std::error_code ignored;
      if (at->is_regular_file(ignored)) out.push_back(at->path().filename().string());
    }
    std::ranges::sort(out);
    return out;
  }
  if (!commit_.empty() && cache_.look_up(commit_, folder) == cache::presence::absent) return out;
  if (may_ask()) {
    try {
      if (auto files = hub_itself().list(commit_.empty() ? name_.revision : commit_, folder))
        return *std::move(files);
      if (!commit_.empty()) cache_.mark_absent(commit_, folder);
      return out;
    } catch (const unavailable& why) {
      // A mirror may provide files but no listings.
      const bool reached = why.code() != IFB_E_IO;
      if (!cached_ && (!reached || commit_.empty())) throw;
      if (!reached)
        give_up(why);
      else
        host_.warn(name_.id + ": " + folder + " is not listed: " + why.message());
    }
  }
  return cache_.list(commit_, folder);
}

std::vector<listed_file> repository::files() {
  if (is_local()) return files_below(folder_);
  // A request for any file tells the commit, so that the listing and all files belong together.
  if (commit_.empty()) std::ignore = find("README.md");
  if (may_ask()) {
    try {
      return hub_itself().list_all(commit_.empty() ? name_.revision : commit_);
    } catch (const unavailable& why) {
      if (!cached_) throw;
      give_up(why);
    }
  }
  return files_below(folder());
}

bool repository::is_at_hand(const std::string& file) const {
  if (is_local()) return true;
  return !commit_.empty() && cache_.look_up(commit_, file) == cache::presence::present;
}

bool repository::lacks(const std::string& file) const {
  std::error_code ignored;
  if (is_local()) return !fs::is_regular_file(folder_ / file, ignored);
  return !commit_.empty() && cache_.look_up(commit_, file) == cache::presence::absent;
}

fs::path repository::folder() const {
  return is_local() ? folder_ : cache_.snapshot(commit_, "").parent_path();
}

std::string repository::limits() const {
  if (is_local() || may_ask()) return {};
  return "only the files in the cache " + settings_.cache.string() + " are known, because " +
         (settings_.offline ? "HF_HUB_OFFLINE forbids asking the hub; unset it to fetch the others"
                            : "the hub cannot be asked");
}

std::string repository::missing(const std::string& file) const {
  if (is_local()) return "the folder " + folder_.string() + " has no " + file;
  std::string out = source() + " has no " + file;
  if (!commit_.empty() && cache_.look_up(commit_, file) == cache::presence::absent) return out;
  out += " in the cache " + settings_.cache.string();
  if (settings_.offline)
    return out + ", and HF_HUB_OFFLINE forbids fetching it; unset that, or give a local folder";
  if (!gave_up_.empty()) return out + "; " + gave_up_;
  return out;
}

std::string repository::source() const {
  if (is_local()) return folder_.string();
  return name_.id + "@" + (commit_.empty() ? name_.revision : commit_);
}

}  // namespace hub

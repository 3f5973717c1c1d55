#include "attached_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <inferbench/guard.hpp>

#include "common/hub/folder_listing.hpp"
#include "common/hub/names.hpp"
#include "limits.hpp"

namespace tables {

namespace fs = std::filesystem;

attached_files::attached_files(ifb::host host, hub::environment settings, hub::repository_name name,
                               std::string folder)
    : host_(host),
      settings_(std::move(settings)),
      name_(std::move(name)),
      folder_(std::move(folder)) {
  settings_.largest_file = largest_attached_file;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const fs::path real = fs::weakly_canonical(folder_, ignored);
  inside_.push_back(real.string());
  // The files of a snapshot in the cache, REPOSITORY/snapshots/COMMIT, are links to blobs.
  if (real.parent_path().filename() == "snapshots")
    inside_.push_back((real.parent_path().parent_path() / "blobs").string());
}

std::optional<std::string> attached_files::fetch(const std::string& file) {
  if (!hub::is_inside_path(file))
    throw ifb::failure(IFB_E_DATA, "\"" + file + "\" is not a path inside the data set", "path");
  repository one = take();
  std::optional<std::string> out = find(*one, file);
  give_back(std::move(one));
  if (out) check_place(*out, file);
  return out;
}

attached_files::repository attached_files::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      repository out = std::move(idle_.back());
      idle_.pop_back();
      return out;
    }
  }
  return std::make_unique<hub::repository>(host_, settings_, name_);
}

void attached_files::give_back(repository one) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(one));
}

std::optional<std::string> attached_files::find(hub::repository& from, const std::string& file) {
  try {
    if (!from.is_at_hand(file)) {
      const std::lock_guard lock(mutex_);
      if (!std::exchange(told_, true))
        host_.info(name_.id + ": the files that rows name are downloaded one by one, each when " +
                   "its row is needed");
    }
    if (const auto path = from.find(file)) return path->string();
    if (from.lacks(file)) return std::nullopt;
    throw ifb::failure(IFB_E_IO, from.missing(file), "path");
  } catch (const hub::unavailable& why) {
    throw ifb::failure(why.code(), why.message(), why.option().empty() ? "path" : why.option());
  } catch (const ifb::failure& why) {
    // The library refuses a file that is too large in the same way as a wrong name of a repository.
    const ifb_status code = why.code() == IFB_E_CONFIG ? IFB_E_DATA : why.code();
    throw ifb::failure(code, why.message(), "path");
  }
}

void attached_files::check_place(const std::string& path, const std::string& file) const {
  std::error_code wrong;
  const fs::path real = fs::canonical(path, wrong);
  if (wrong || std::ranges::none_of(
                   inside_, [&](const std::string& each) { return hub::is_below(real, each); }))
    throw ifb::failure(IFB_E_DATA, "\"" + file + "\" is a link that leads out of the data set",
                       "path");
}

}  // namespace tables

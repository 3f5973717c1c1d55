#include "media_store.hpp"

#include <utility>

namespace row_media {

medium_view media_store::get(const std::string& key, ifb::arena memory, const maker& make) {
  encoded_medium unkept;
  if (const encoded_medium* const kept = made(key, make, unkept))
    return {kept->file, kept->seconds};
  return {memory.copy(unkept.file), unkept.seconds};
}

bool media_store::fill(const std::string& key, const maker& make) {
  encoded_medium unkept;
  return made(key, make, unkept) != nullptr;
}

std::size_t media_store::size() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

// Returns the medium of the store; or null, and stores the medium in `unkept`.
const encoded_medium* media_store::made(const std::string& key, const maker& make,
                                        encoded_medium& unkept) {
  const finding found = key.empty() ? finding{} : find_or_claim(key);
  if (found.medium != nullptr) return found.medium;
  if (!found.claimed) {
    unkept = make();
    return nullptr;
  }
  try {
    unkept = make();
    unkept.file.shrink_to_fit();
  } catch (...) {
    give_up(key);
    throw;
  }
  return keep(key, unkept);
}

media_store::finding media_store::find_or_claim(const std::string& key) {
  std::unique_lock lock(mutex_);
  auto at = entries_.find(key);
  if (at == entries_.end()) {
    // Nothing fits any more, so no other thread needs to wait for this medium.
    if (used_ >= budget_) return {};
    entries_.try_emplace(key);
    return {nullptr, true};
  }
  while (!at->second.made) {
    changed_.wait(lock);
    at = entries_.find(key);
    // The other thread failed, or the medium does not fit. Several threads may wait: if each of
    // them claimed the medium again, they would make it one after the other.
    if (at == entries_.end()) return {};
  }
  return {&at->second.medium, false};
}

const encoded_medium* media_store::keep(const std::string& key, encoded_medium& medium) {
  const std::lock_guard lock(mutex_);
  const auto at = entries_.find(key);
  const encoded_medium* kept = nullptr;
  if (medium.file.size() <= budget_ - used_) {
    used_ += medium.file.size();
    at->second.medium = std::move(medium);
    at->second.made = true;
    kept = &at->second.medium;
  } else {
    entries_.erase(at);
  }
  changed_.notify_all();
  return kept;
}

void media_store::give_up(const std::string& key) noexcept {
  const std::lock_guard lock(mutex_);
  entries_.erase(key);
  changed_.notify_all();
}

}  // namespace row_media

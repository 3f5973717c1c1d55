#include "objects.hpp"

#include <algorithm>

#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

// Up to this number of pairs, a linear search costs no more than an index.
constexpr std::size_t small = 8;
constexpr std::uint32_t vacant = UINT32_MAX;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

}  // namespace

std::size_t text_object::length() const noexcept {
  // A string that belongs to a template is shared by threads, so its length is not stored. Such
  // strings are short.
  if (home == nullptr) return unicode::length(view);
  if (length_ == unknown) length_ = unicode::length(view);
  return length_;
}

extent extent_of(const value& of) noexcept {
  if (of.is(kind::list) || of.is(kind::tuple)) return of.as<sequence_object>().size;
  if (of.is(kind::dict)) return of.as<dict_object>().size;
  return {};
}

void extent::include(const value& part) noexcept {
  const extent inner = extent_of(part);
  depth = std::max(depth, inner.depth + 1);
  weight = std::min<std::uint64_t>(weight + inner.weight, UINT32_MAX);
}

template <typename Equal>
std::size_t dict_object::search(std::size_t hash, const Equal& equal) const {
  const std::size_t mask = index_.size() - 1;
  for (std::size_t at = hash & mask; index_[at] != vacant; at = (at + 1) & mask) {
    const std::uint32_t i = index_[at];
    if (hashes_[i] == hash && equal(items[i].first)) return i;
  }
  return nowhere;
}

const value* dict_object::find(const value& key) const {
  if (key.is(kind::text)) return find(key.text());
  const auto equal = [&](const value& other) { return equals(other, key); };
  if (index_.empty()) {
    const auto at = std::ranges::find_if(items, equal, &std::pair<value, value>::first);
    return at == items.end() ? nullptr : &at->second;
  }
  const std::size_t found = search(hash_of(key), equal);
  return found == nowhere ? nullptr : &items[found].second;
}

const value* dict_object::find(std::string_view key) const {
  const auto equal = [&](const value& other) {
    return other.is(kind::text) && other.text() == key;
  };
  if (index_.empty()) {
    for (const auto& item : items)
      if (equal(item.first)) return &item.second;
    return nullptr;
  }
  const std::size_t found = search(std::hash<std::string_view>{}(key), equal);
  return found == nowhere ? nullptr : &items[found].second;
}

void dict_object::put(value key, value content) {
  size.include(key);
  size.include(content);
  if (const value* const found = find(key)) {
    *const_cast<value*>(found) = std::move(content);  // NOLINT: an item of this object
    return;
  }
  items.emplace_back(std::move(key), std::move(content));
  if (items.size() <= small) return;
  if (index_.size() < items.size() * 2) {
    grow();
    return;
  }
  hashes_.push_back(hash_of(items.back().first));
  const std::size_t mask = index_.size() - 1;
  std::size_t at = hashes_.back() & mask;
  while (index_[at] != vacant)
    at = (at + 1) & mask;
  index_[at] = static_cast<std::uint32_t>(items.size() - 1);
}

void dict_object::grow() {
  std::size_t room = small * 4;
  while (room < items.size() * 4)
    room *= 2;
  index_.assign(room, vacant);
  for (std::size_t i = hashes_.size(); i < items.size(); ++i)
    hashes_.push_back(hash_of(items[i].first));
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::size_t at = hashes_[i] & (room - 1);
    while (index_[at] != vacant)
      at = (at + 1) & (room - 1);
    index_[at] = static_cast<std::uint32_t>(i);
  }
}

value* name_space_object::find(std::string_view name) noexcept {
  for (auto& member : members)
    if (member.first.is(kind::text) && member.first.text() == name) return &member.second;
  return nullptr;
}

}  // namespace jinja

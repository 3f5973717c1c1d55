#include "vocabulary.hpp"

#include <algorithm>
#include <limits>

#include <inferbench/guard.hpp>

#include "hash.hpp"

namespace tokenizers {

vocabulary::vocabulary(const node& object) {
  if (!object.value().IsObject()) object.fail("expected an object of tokens and their ids");
  const auto members = object.value().GetObject();
  std::size_t bytes = 0;
  for (const auto& member : members)
    bytes += member.name.GetStringLength();
  reserve(members.MemberCount(), bytes);
  for (const auto& member : members) {
    const std::string_view token(member.name.GetString(), member.name.GetStringLength());
    add(token, object.of(member).u32());
  }
  finish();
}

void vocabulary::reserve(std::size_t tokens, std::size_t bytes) {
  pool_.reserve(bytes);
  begins_.reserve(tokens + 1);
  ids_.reserve(tokens);
  rehash(tokenizers::slots_for(tokens));
}

void vocabulary::rehash(std::size_t slots) {
  slots_.assign(slots, slot());
  for (std::uint32_t entry = 0; entry < ids_.size(); ++entry) {
    const std::uint64_t hash = tokenizers::hash_of(text_of(entry));
    std::size_t at = hash & (slots - 1);
    while (slots_[at].entry != nothing && text_of(slots_[at].entry) != text_of(entry))
      at = (at + 1) & (slots - 1);
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32U), entry};
  }
}

void vocabulary::put(std::string_view token, std::uint32_t id, bool keeps_both) {
  if ((ids_.size() + 1) * 3 > slots_.size() * 2) rehash(slots_.size() * 2);
  const std::uint64_t hash = tokenizers::hash_of(token);
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].entry != nothing; at = (at + 1) & mask) {
    if (slots_[at].tag != tag || text_of(slots_[at].entry) != token) continue;
    if (keeps_both) break;
    ids_[slots_[at].entry] = id;
    return;
  }
  if (pool_.size() + token.size() > std::numeric_limits<std::uint32_t>::max())
    throw ifb::failure(IFB_E_CONFIG, "a vocabulary of more than 4 GB");
  slots_[at] = {tag, static_cast<std::uint32_t>(ids_.size())};
  pool_ += token;
  begins_.push_back(static_cast<std::uint32_t>(pool_.size()));
  ids_.push_back(id);
  longest_ = std::max(longest_, token.size());
}

void vocabulary::finish() {
  if (ids_.empty()) return;
  const std::size_t highest = *std::ranges::max_element(ids_);
  by_id_.clear();
  scattered_.clear();
  if (highest < ids_.size() * 4 + 1024) {
    by_id_.assign(highest + 1, nothing);
    for (std::uint32_t entry = 0; entry < ids_.size(); ++entry)
      by_id_[ids_[entry]] = entry;
    return;
  }
  for (std::uint32_t entry = 0; entry < ids_.size(); ++entry)
    scattered_.emplace_back(ids_[entry], entry);
  std::ranges::sort(scattered_);
}

std::optional<std::uint32_t> vocabulary::id_of(std::string_view token) const noexcept {
  const std::uint64_t hash = tokenizers::hash_of(token);
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].entry != nothing; at = (at + 1) & mask)
    if (slots_[at].tag == tag && text_of(slots_[at].entry) == token) return ids_[slots_[at].entry];
  return std::nullopt;
}

std::optional<std::string_view> vocabulary::token_of(std::uint32_t id) const noexcept {
  if (id < by_id_.size()) {
    if (by_id_[id] == nothing) return std::nullopt;
    return text_of(by_id_[id]);
  }
  const auto it =
      std::ranges::lower_bound(scattered_, id, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  if (it == scattered_.end() || it->first != id) return std::nullopt;
  return text_of(it->second);
}

}  // namespace tokenizers

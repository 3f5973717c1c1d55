#include "limits.hpp"

#include <algorithm>
#include <string_view>

#include <inferbench/guard.hpp>

namespace tokenizers::hf {

namespace {

void keep(std::vector<std::uint32_t>& ids, std::size_t count, bool from_left) {
  if (ids.size() <= count) return;
  if (from_left)
    ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(count));
  else
    ids.resize(count);
}

bool is_left(const node& from) {
  const auto direction = from.find("direction");
  if (!direction) return false;
  const std::string_view name = direction->text();
  if (name != "Left" && name != "Right") direction->fail("expected Left or Right");
  return name == "Left";
}

}  // namespace

void truncation::cut_early(std::vector<std::uint32_t>& ids,
                           const std::vector<std::size_t>& ends) const {
  const std::size_t enough = std::max<std::size_t>(max_length, 1);
  if (ids.size() <= enough) return;
  if (from_left) {
    const auto after = std::ranges::upper_bound(ends, ids.size() - enough);
    if (after != ends.begin()) keep(ids, ids.size() - *(after - 1), true);
  } else {
    keep(ids, *std::ranges::lower_bound(ends, enough), false);
  }
}

void truncation::apply(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>* second,
                       std::size_t at_most) const {
  const std::size_t total = first.size() + (second == nullptr ? 0 : second->size());
  if (total <= at_most) return;
  if (at_most == 0) {
    first.clear();
    if (second != nullptr) second->clear();
    return;
  }
  if (how == strategy::longest_first) {
    std::size_t keep_first = at_most;
    if (second != nullptr) {
      // The shorter text is not cut if it needs at most half of the room.
      const std::size_t shorter = std::min(first.size(), second->size());
      const std::size_t keep_shorter = std::min(shorter, at_most / 2);
      const bool first_is_shorter = first.size() <= second->size();
      keep_first = first_is_shorter ? keep_shorter : at_most - keep_shorter;
      keep(*second, at_most - keep_first, from_left);
    }
    keep(first, keep_first, from_left);
    return;
  }
  std::vector<std::uint32_t>* const target = how == strategy::only_first ? &first : second;
  if (target == nullptr)
    throw ifb::failure(IFB_E_CONFIG,
                       "truncation: the strategy OnlySecond needs a second text; there is none");
  const std::size_t too_many = total - at_most;
  if (target->size() <= too_many)
    throw ifb::failure(IFB_E_CONFIG,
                       "truncation: the text that may be cut is too short to reach max_length");
  keep(*target, target->size() - too_many, from_left);
}

std::size_t padding::length_for(std::size_t ids) const noexcept {
  std::size_t length = std::max(ids, fixed.value_or(ids));
  const std::size_t wanted = fixed.value_or(ids);
  if (multiple_of > 0 && wanted % multiple_of != 0)
    length = std::max(ids, wanted + multiple_of - wanted % multiple_of);
  return length;
}

truncation read_truncation(const node& from) {
  truncation out;
  out.from_left = is_left(from);
  out.max_length = from.at("max_length").u32();
  (void)from.at("stride").u32();
  const node strategy = from.at("strategy");
  const std::string_view name = strategy.text();
  if (name == "OnlyFirst")
    out.how = truncation::strategy::only_first;
  else if (name == "OnlySecond")
    out.how = truncation::strategy::only_second;
  else if (name != "LongestFirst")
    strategy.fail("expected LongestFirst, OnlyFirst or OnlySecond");
  return out;
}

padding read_padding(const node& from) {
  padding out;
  const node strategy = from.at("strategy");
  if (!strategy.value().IsString())
    out.fixed = strategy.at("Fixed").u32();
  else if (strategy.text() != "BatchLongest")
    strategy.fail("expected \"BatchLongest\" or {\"Fixed\": length}");
  out.on_left = is_left(from);
  out.multiple_of = from.u32("pad_to_multiple_of", 0);
  out.id = from.at("pad_id").u32();
  out.type_id = from.at("pad_type_id").u32();
  (void)from.at("pad_token").text();
  return out;
}

}  // namespace tokenizers::hf

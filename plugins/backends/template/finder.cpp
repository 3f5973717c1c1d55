#include "finder.hpp"

#include <algorithm>
#include <atomic>

namespace template_backend {

finder::finder() : states_(1) {
  static std::atomic<std::uint64_t> made{0};
  id_ = ++made;
}

void finder::add(part what, const std::vector<path>& alternatives) {
  // There are at most 14 parts, with 16 alternatives of 16 steps each, so the type `place` has room
  // for all states.
  for (std::size_t rank = 0; rank < alternatives.size(); ++rank) {
    place here = root;
    for (const step& each : alternatives[rank]) {
      place next = each.in_list ? element(here, each.index) : member(here, each.key);
      if (next == nowhere) {
        next = static_cast<place>(states_.size());
        states_.emplace_back();
        if (each.in_list)
          states_[here].elements.emplace_back(each.index, next);
        else
          states_[here].members.emplace_back(each.key, next);
      }
      here = next;
    }
    states_[here].uses.push_back({what, static_cast<std::uint8_t>(rank)});
    if (what == part::tokens || what == part::token_ids) states_[here].counted = true;
  }
}

bool finder::knows(part what) const noexcept {
  return std::ranges::any_of(states_, [&](const state& s) {
    return std::ranges::any_of(s.uses, [&](const use& u) { return u.what == what; });
  });
}

}  // namespace template_backend

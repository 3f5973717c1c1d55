#include "recall.hpp"

#include <algorithm>
#include <cstdint>

namespace templates {

bool recall::fit(std::string_view data, char* spare, said& out) noexcept {
  openai::event event;
  if (!known_.fit(data, spare, event)) return false;
  out.text = event.text;
  out.reasoning = event.reasoning;
  out.finish_reason = event.finish_reason;
  out.usage = event.usage;
  out.is = marks_[event.choice];
  return true;
}

void recall::take(std::string_view data, const said& what,
                  const openai::reading::draft& holes) noexcept {
  auto at = std::ranges::find(marks_, what.is);
  if (at == marks_.end()) {
    if (marks_.size() == most) return;
    at = marks_.insert(at, what.is);  // there is room: it throws nothing
  }
  openai::event event;
  event.choice = static_cast<std::uint32_t>(at - marks_.begin());
  event.usage = what.usage;
  known_.take(data, event, holes);
}

}  // namespace templates

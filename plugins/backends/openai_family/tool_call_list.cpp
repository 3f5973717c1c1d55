#include "tool_call_list.hpp"

#include <algorithm>

#include <inferbench/json_writer.hpp>

namespace openai {

void tool_call_list::add(std::span<const call_part> parts, std::uint32_t choice) {
  if (calls_.empty()) choice_ = choice;
  if (choice != choice_) {
    if (choice != 0) return;
    calls_.clear();
    choice_ = 0;
  }
  for (const call_part& part : parts) {
    tool_call* const to = call_of(part);
    if (to == nullptr) continue;
    if (to->name.empty()) to->name = part.name;
    to->arguments += part.arguments;
  }
}

tool_call_list::tool_call* tool_call_list::call_of(const call_part& part) {
  // The search is from the end: the parts of one call usually follow each other.
  const auto known = part.index >= 0
                         ? std::find_if(calls_.rbegin(), calls_.rend(),
                                        [&](const tool_call& c) { return c.index == part.index; })
                     : part.name.empty() ? calls_.rbegin()
                                         : calls_.rend();
  const bool other = known != calls_.rend() && !part.name.empty() && !known->name.empty() &&
                     known->name != part.name;
  if (known != calls_.rend() && !other) return &*known;
  if (calls_.size() >= most_calls) return nullptr;
  return &calls_.emplace_back(tool_call{part.index, {}, {}});
}

void tool_call_list::complete(std::int64_t index, std::string_view whole) {
  const auto at = index < 0 ? calls_.rbegin()
                            : std::find_if(
                                  calls_.rbegin(), calls_.rend(),
                                  [&](const tool_call& c) { return c.index == index; });
  if (at != calls_.rend() && at->arguments.empty()) at->arguments = whole;
}

std::string tool_call_list::text() const {
  ifb::json_writer out;
  out.begin_array();
  for (const tool_call& each : calls_) {
    out.begin_object();
    out.member("name", std::string_view(each.name));
    out.member("arguments", std::string_view(each.arguments));
    out.end_object();
  }
  out.end_array();
  return out.take();
}

}  // namespace openai

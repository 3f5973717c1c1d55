#include "string_table.hpp"

#include <utility>

#include <inferbench/text.hpp>

namespace reporters {

std::uint32_t string_table::number_of(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t most = texts_.size() < bounds_.long_texts ? bounds_.long_bytes : bounds_.bytes;
  // A long text that was added early is known under its longer form.
  for (const std::size_t limit : {bounds_.long_bytes, most}) {
    if (limit == 0) continue;
    std::string shown(ifb::cut_utf8(text, limit));
    if (shown.size() < text.size()) shown += "...";
    if (const auto at = numbers_.find(shown); at != numbers_.end()) return at->second;
    if (limit != most) continue;
    if (texts_.size() < bounds_.texts) return add(std::move(shown));
  }
  if (rest_ == 0) rest_ = add(std::string(bounds_.rest));
  return rest_;
}

std::uint32_t string_table::add(std::string text) {
  texts_.push_back(std::move(text));
  const auto number = static_cast<std::uint32_t>(texts_.size());
  numbers_.emplace(texts_.back(), number);
  return number;
}

}  // namespace reporters

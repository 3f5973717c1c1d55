#include "dialogue.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sharegpt {

speaker speaker_of(std::string_view from) {
  constexpr std::array<std::pair<std::string_view, speaker>, 8> known{
      {{"human", speaker::user},
       {"user", speaker::user},
       {"gpt", speaker::assistant},
       {"chatgpt", speaker::assistant},
       {"bing", speaker::assistant},
       {"bard", speaker::assistant},
       {"assistant", speaker::assistant},
       {"system", speaker::system}}};
  if (from.size() > 9) return speaker::other;
  std::string lower(from);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const auto* const found =
      std::ranges::find(known, lower, &std::pair<std::string_view, speaker>::first);
  return found == known.end() ? speaker::other : found->second;
}

bool dialogue::add(speaker who, std::optional<std::string_view> text) {
  const bool repeated = std::exchange(first_, false) && who == last_ && !turns_.empty();
  last_ = who;
  if (ended_ || repeated) return false;
  // An empty turn of the user cannot be a request; an answer may be empty.
  const bool said = text && (who != speaker::user || !text->empty());
  if (turns_.empty() && !(who == speaker::user && said)) {
    if (who == speaker::system && said && !system_) system_ = text;
    return false;
  }
  const speaker awaited = turns_.size() % 2 == 0 ? speaker::user : speaker::assistant;
  ended_ = who != awaited || !said;
  if (ended_) return false;
  turns_.push_back(*text);
  ended_ = turns_.size() == most_;
  return true;
}

}  // namespace sharegpt

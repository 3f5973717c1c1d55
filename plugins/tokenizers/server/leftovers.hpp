// Answers that did not fit into the caller's buffer. The caller calls again with a larger buffer,
// and a second request to the server would only repeat the first request.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace server {

/// Stores at most `limit` answers, and drops the oldest answer first. [any thread]
template <typename answer>
class leftovers {
 public:
  /// Returns the stored answer to this question and removes it; nullopt if there is none.
  [[nodiscard]] std::optional<answer> take(std::string_view question) {
    const std::lock_guard lock(mutex_);
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (at->first != question) continue;
      std::optional<answer> found = std::move(at->second);
      entries_.erase(at);
      return found;
    }
    return std::nullopt;
  }

  void keep(std::string question, answer given) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() == limit) entries_.pop_front();
    entries_.emplace_back(std::move(question), std::move(given));
  }

 private:
  static constexpr std::size_t limit = 16;
  std::mutex mutex_;
  std::deque<std::pair<std::string, answer>> entries_;
};

}  // namespace server

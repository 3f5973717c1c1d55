// Keeps an object that was made from a text, such as a compiled schema, for the next request with
// the same text. Most data sets have few schemas; some have another schema for each request, so the
// memory is bounded.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace scorers {

/// One thread at a time.
template <typename made>
class text_cache {
 public:
  static constexpr std::size_t most_entries = 256;
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;  // of the texts

  /// Returns what `make(text)` returned for this text, now or in an earlier call. Valid until the
  /// next call of the function: a full cache forgets everything.
  template <typename maker>
  [[nodiscard]] const made& get(std::string_view text, const maker& make) {
    if (const auto known = all_.find(text); known != all_.end()) return known->second;
    made fresh = make(text);
    if (all_.size() >= most_entries || bytes_ + text.size() > most_bytes) {
      all_.clear();
      bytes_ = 0;
    }
    bytes_ += text.size();
    return all_.emplace(std::string(text), std::move(fresh)).first->second;
  }

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

 private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_map<std::string, made, text_hash, std::equal_to<>> all_;
  std::size_t bytes_ = 0;
};

}  // namespace scorers

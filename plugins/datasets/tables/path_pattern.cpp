#include "path_pattern.hpp"

#include <vector>

namespace tables {

namespace {

/// Returns the length of the set at the start of the pattern, "[...]"; 0 if it does not end.
std::size_t length_of_set(std::string_view pattern) {
  std::size_t at = 1;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
  // A bracket at the beginning belongs to the set.
  const auto end = pattern.find(']', at + 1);
  return end == pattern.npos ? 0 : end + 1;
}

bool is_in_set(std::string_view set, char c) {
  set = set.substr(1, set.size() - 2);
  const bool excluded = set.starts_with('!') || set.starts_with('^');
  if (excluded) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == c;
    }
  }
  return found != excluded && c != '/';
}

/// Remembers the result for each pair of a rest of the pattern and a rest of the path, so the time
/// is bounded by the product of their lengths.
class path_matcher {
 public:
  path_matcher(std::string_view pattern, std::string_view path)
      : pattern_(pattern),
        path_(path),
        known_((pattern.size() + 1) * (path.size() + 1), static_cast<signed char>(-1)) {}

  /// Returns whether the pattern from i on matches the path from j on.
  bool at(std::size_t i, std::size_t j) {
    signed char& known = known_[i * (path_.size() + 1) + j];
    if (known < 0) known = compute(i, j) ? 1 : 0;
    return known == 1;
  }

 private:
  bool compute(std::size_t i, std::size_t j) {
    if (i == pattern_.size()) return j == path_.size();
    const std::string_view rest = pattern_.substr(i);
    if (rest.starts_with("**/") && at(i + 3, j)) return true;
    if (rest.starts_with("**")) return at(i + 2, j) || (j < path_.size() && at(i, j + 1));
    if (rest[0] == '*')
      return at(i + 1, j) || (j < path_.size() && path_[j] != '/' && at(i, j + 1));
    if (j == path_.size()) return false;
    const std::size_t set = rest[0] == '[' ? length_of_set(rest) : 0;
    if (set > 0) return is_in_set(rest.substr(0, set), path_[j]) && at(i + set, j + 1);
    const bool same = rest[0] == '?' ? path_[j] != '/' : rest[0] == path_[j];
    return same && at(i + 1, j + 1);
  }

  std::string_view pattern_;
  std::string_view path_;
  std::vector<signed char> known_;  // 0, 1, or -1: not yet computed
};

}  // namespace

bool matches_path(std::string_view pattern, std::string_view path) {
  constexpr std::size_t longest = 1024;  // of a path on the hub and of a name in a card
  if (pattern.size() > longest || path.size() > longest) return pattern == path;
  return path_matcher(pattern, path).at(0, 0);
}

}  // namespace tables

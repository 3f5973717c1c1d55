#include "mismatch.hpp"

namespace synthetic {

void mismatches::add(std::int64_t tokens) noexcept {
  ++prompts_;
  wrong_ += tokens != 0 ? 1 : 0;
  (tokens > 0 ? more_ : fewer_) += tokens > 0 ? tokens : -tokens;
}

std::string mismatches::text(std::string_view what) const {
  if (wrong_ == 0) return {};
  std::string out = std::to_string(wrong_) + " of " + std::to_string(prompts_) + " " +
                    std::string(what) + (wrong_ == 1 ? " is" : " are") +
                    " not of the length asked for: ";
  const auto tokens = [](std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " token" : " tokens");
  };
  if (more_ != 0) out += tokens(more_) + " too many";
  if (fewer_ != 0) out += (more_ != 0 ? " and " : "") + tokens(fewer_) + " too few";
  return out + " in all, as some ids do not survive decoding and encoding";
}

void row_mismatches::expect(std::uint64_t rows) {
  seen_.assign(rows, false);
  all_ = {};
  count_ = 0;
}

std::string row_mismatches::add(std::uint64_t row, std::int64_t tokens) {
  if (row >= seen_.size()) return {};
  const std::lock_guard lock(mutex_);
  if (seen_[row]) return {};
  seen_[row] = true;
  all_.add(tokens);
  return ++count_ == seen_.size() ? all_.text() : std::string();
}

}  // namespace synthetic

#include "transport/lines.hpp"

namespace inferbench::transport {

namespace {

constexpr std::size_t kept_line_capacity = 4096;

std::string_view without_cr(std::string_view line) noexcept {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

void line_parser::begin() noexcept {
  if (buffer_.capacity() > kept_line_capacity) std::string().swap(buffer_);
  buffer_.clear();
  given_ = failed_ = false;
}

bool line_parser::next(std::string_view& input, std::uint64_t stamp, text_line& out) {
  if (given_) buffer_.clear();
  given_ = false;
  while (!input.empty() && !failed_) {
    const auto end = input.find('\n');
    const std::string_view part = input.substr(0, end);
    const bool unfinished = !buffer_.empty();
    if (end == std::string_view::npos || unfinished) {
      buffer_ += part;
      if (!without_cr(part).empty()) stamp_ = stamp;
    }
    const std::string_view line = without_cr(unfinished ? std::string_view(buffer_) : part);
    if (line.size() > limit_) {
      failed_ = true;
      break;
    }
    if (end == std::string_view::npos) {
      input = {};
      break;
    }
    input.remove_prefix(end + 1);
    if (line.empty()) {
      buffer_.clear();
      continue;
    }
    out.text = line;
    out.stamp = unfinished ? stamp_ : stamp;
    given_ = unfinished;
    return true;
  }
  if (failed_) input = {};
  return false;
}

bool line_parser::finish(text_line& out) {
  if (given_) buffer_.clear();
  given_ = true;
  const std::string_view line = without_cr(buffer_);
  if (failed_ || line.empty()) return false;
  out.text = line;
  out.stamp = stamp_;
  return true;
}

}  // namespace inferbench::transport

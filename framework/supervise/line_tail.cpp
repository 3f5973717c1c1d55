#include "supervise/line_tail.hpp"

#include <utility>
#include <vector>

#include "base/text.hpp"

namespace inferbench::supervise {

namespace {

/// Without sequences such as "\x1b[31m", with which servers colour their logs.
std::string without_escapes(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      out += line[i];
      continue;
    }
    if (i + 1 >= line.size()) break;
    ++i;
    if (line[i] != '[') continue;
    // Parameters come before a final byte between '@' and '~'.
    do {
      ++i;
    } while (i < line.size() && (line[i] < '@' || line[i] > '~'));
  }
  return out;
}

/// At most line_tail::most_bytes: a byte that is not UTF-8 becomes three bytes. A line that is too
/// long loses its beginning.
std::string shown(std::string_view line) {
  std::string out = base::one_line(without_escapes(line));
  if (out.size() <= line_tail::most_bytes) return out;
  std::size_t begin = out.size() - line_tail::most_bytes;
  while ((static_cast<unsigned char>(out[begin]) & 0xC0U) == 0x80U)
    ++begin;
  return out.substr(begin);
}

}  // namespace

void line_tail::add(stream from, std::string_view text) {
  unfinished_line& now = unfinished_[static_cast<std::size_t>(from)];
  while (!text.empty()) {
    if (now.returned && text.front() != '\n') now.text.clear();
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view part = text.substr(0, end);
    // A line that is too long loses its beginning.
    now.text += part.substr(part.size() > most_bytes ? part.size() - most_bytes : 0);
    if (now.text.size() > most_bytes) now.text.erase(0, now.text.size() - most_bytes);
    now.returned = end != std::string_view::npos && text[end] == '\r';
    if (end == std::string_view::npos) return;
    if (text[end] == '\n') keep(std::exchange(now.text, {}));
    text.remove_prefix(end + 1);
  }
}

void line_tail::keep(std::string line) {
  bytes_ += line.size() + 1;
  lines_.push_back(std::move(line));
  while (bytes_ > most_bytes && lines_.size() > 1) {
    bytes_ -= lines_.front().size() + 1;
    lines_.pop_front();
  }
}

std::string line_tail::last(std::size_t lines) const {
  std::vector<std::string> all;
  for (const std::string& each : lines_)
    all.push_back(shown(each));
  for (const unfinished_line& each : unfinished_)
    if (!each.text.empty()) all.push_back(shown(each.text));
  std::size_t size = 0;
  std::size_t first = all.size();
  while (first > 0 && all.size() - first < lines && size + all[first - 1].size() <= most_bytes)
    size += all[--first].size() + 1;
  std::string out;
  for (; first < all.size(); ++first)
    out += (out.empty() ? "" : "\n") + all[first];
  return out;
}

}  // namespace inferbench::supervise

#include "output_tail.hpp"

#include <utility>

#include <inferbench/text.hpp>

namespace python_engine {

namespace {

/// Returns the number of bytes of the escape sequence at the start of `text`.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return std::min<std::size_t>(text.size(), 2);
  // Parameters come before a final byte between '@' and '~'.
  std::size_t at = 2;
  while (at < text.size() && (text[at] < '@' || text[at] > '~'))
    ++at;
  return std::min(at + 1, text.size());
}

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/// True for "torch.OutOfMemoryError: CUDA out of memory", and for "KeyboardInterrupt".
bool names_exception(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_name(line[end]))
    ++end;
  const std::string_view name = line.substr(0, end);
  if (end < line.size() && line[end] != ':') return false;
  for (const std::string_view ending : {"Error", "Exception", "Interrupt", "Exit", "Failure"})
    if (name.ends_with(ending)) return true;
  return false;
}

}  // namespace

std::string clean_line(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      text.remove_prefix(escape_length(text));
      continue;
    }
    const auto [length, good] = ifb::utf8_sequence(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (!good)
      out += '?';
    else if (first < 0x20 || first == 0x7F)
      out += ' ';
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  if (out.size() <= most) return out;
  std::size_t begin = out.size() - most;
  while (begin < out.size() && (static_cast<unsigned char>(out[begin]) & 0xC0U) == 0x80U)
    ++begin;
  return out.substr(begin);
}

void output_tail::add(std::string_view text) {
  while (!text.empty()) {
    if (returned_ && text.front() != '\n') unfinished_.clear();
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view part = text.substr(0, end);
    unfinished_ += part.substr(part.size() > most_bytes ? part.size() - most_bytes : 0);
    if (unfinished_.size() > most_bytes) unfinished_.erase(0, unfinished_.size() - most_bytes);
    returned_ = end != std::string_view::npos && text[end] == '\r';
    if (end == std::string_view::npos) return;
    if (text[end] == '\n') keep(std::exchange(unfinished_, {}));
    text.remove_prefix(end + 1);
  }
}

void output_tail::keep(const std::string& line) {
  std::string clean = clean_line(line, most_bytes);
  if (clean.find_first_not_of(' ') == std::string::npos) return;
  if (on_line_) on_line_(clean);
  bytes_ += clean.size() + 1;
  lines_.push_back(std::move(clean));
  while (bytes_ > most_bytes && lines_.size() > 1) {
    bytes_ -= lines_.front().size() + 1;
    lines_.pop_front();
  }
}

std::deque<std::string> output_tail::all() const {
  std::deque<std::string> out = lines_;
  std::string rest = clean_line(unfinished_, most_bytes);
  if (rest.find_first_not_of(' ') != std::string::npos) out.push_back(std::move(rest));
  return out;
}

std::string output_tail::last(std::size_t lines) const {
  const std::deque<std::string> kept = all();
  std::string out;
  for (std::size_t i = kept.size() > lines ? kept.size() - lines : 0; i < kept.size(); ++i)
    out += (out.empty() ? "" : "\n") + kept[i];
  return out;
}

std::string output_tail::last_exception() const {
  const std::deque<std::string> kept = all();
  for (auto line = kept.rbegin(); line != kept.rend(); ++line)
    if (names_exception(*line)) return *line;
  return {};
}

}  // namespace python_engine

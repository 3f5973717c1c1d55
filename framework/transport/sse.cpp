#include "transport/sse.hpp"

#include <algorithm>
#include <cstring>

namespace inferbench::transport {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// Capacity that a buffer keeps after its stream has ended: there may be ten thousand streams.
constexpr std::size_t kept_capacity = 4096;

const char* find(const char* at, char c, std::size_t size) noexcept {
  return static_cast<const char*>(std::memchr(at, c, size));
}

// The index of the first CR or LF, or npos. Searches one window after another. Otherwise, if the
// input contains only one of the two characters, each line would search the whole input for the
// other character.
std::size_t line_end(std::string_view text) noexcept {
  std::size_t window = 512;
  for (std::size_t from = 0; from < text.size(); from += window / 2) {
    const std::size_t size = std::min(window, text.size() - from);
    const char* const at = text.data() + from;
    const char* const lf = find(at, '\n', size);
    const char* const cr = find(at, '\r', lf != nullptr ? static_cast<std::size_t>(lf - at) : size);
    if (cr != nullptr) return static_cast<std::size_t>(cr - text.data());
    if (lf != nullptr) return static_cast<std::size_t>(lf - text.data());
    window *= 2;  // so `from` advances by the size of the previous window
  }
  return std::string_view::npos;
}

std::string_view value_after(std::string_view line, std::size_t colon) noexcept {
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  return value;
}

}  // namespace

void sse_parser::begin() noexcept {
  forget();
  if (buffer_.capacity() > kept_capacity) std::string().swap(buffer_);
  if (name_.capacity() > kept_capacity) std::string().swap(name_);
  mark_ = 0;
  skip_lf_ = failed_ = false;
}

void sse_parser::forget() noexcept {
  buffer_.clear();
  owned_ = measured_ = 0;
  name_.clear();
  extent_.begin();
  has_data_ = is_view_ = given_ = false;
}

void sse_parser::give(sse_event& out) noexcept {
  out.name = name_;
  out.data = data();
  out.stamp = data_stamp_;
  given_ = true;
}

std::string_view sse_parser::data() const noexcept {
  return is_view_ ? view_ : std::string_view(buffer_).substr(0, owned_);
}

// Copies the data into buffer_. buffer_ is empty while there is a view: an unfinished line in
// buffer_ would have come with earlier input, and would have been finished before the view was set.
void sse_parser::own_data() {
  if (!is_view_) return;
  buffer_.assign(view_);
  owned_ = buffer_.size();
  is_view_ = false;
}

void sse_parser::add_data(std::string_view value, bool in_buffer, std::uint64_t stamp) {
  data_stamp_ = stamp;
  if (!has_data_ && !in_buffer) {
    view_ = value;
    is_view_ = has_data_ = true;
    return;
  }
  own_data();
  if (!in_buffer) {
    buffer_ += '\n';
    buffer_ += value;
  } else {
    const auto from = static_cast<std::size_t>(value.data() - buffer_.data());
    const std::size_t size = value.size();
    buffer_.resize(from + size);
    if (!has_data_)
      buffer_.erase(0, from);
    else if (from == owned_)
      buffer_.insert(owned_, 1, '\n');
    else
      buffer_.replace(owned_, from - owned_, 1, '\n');
  }
  owned_ = buffer_.size();
  has_data_ = true;
}

bool sse_parser::continues_json() {
  if (!has_data_) return false;
  const std::string_view so_far = data();
  extent_.add(so_far.substr(measured_));
  measured_ = so_far.size();
  return extent_.unfinished();
}

bool sse_parser::take_line(std::string_view line, bool in_buffer, std::uint64_t stamp) {
  if (line.empty()) return has_data_;
  if (line.starts_with("data:")) {
    add_data(value_after(line, 4), in_buffer, stamp);
    return false;
  }
  if (line.front() == ':') return false;
  const auto colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  if (field == "event") {
    name_ = colon == std::string_view::npos ? std::string_view{} : value_after(line, colon);
  } else if (field == "data") {
    add_data(line.substr(line.size()), in_buffer, stamp);
  } else if (field != "id" && field != "retry") {
    if (has_data_ ? continues_json() : line.front() == '{') add_data(line, in_buffer, stamp);
  }
  return false;
}

bool sse_parser::too_long(std::size_t size) noexcept {
  if (name_.size() + data().size() + size > limit_) failed_ = true;
  return failed_;
}

void sse_parser::skip_mark(std::string_view& input, std::uint64_t stamp) {
  while (mark_ < byte_order_mark.size() && !input.empty()) {
    if (input.front() == byte_order_mark[mark_]) {
      ++mark_;
      input.remove_prefix(1);
    } else {
      buffer_.append(byte_order_mark, 0, mark_);
      line_stamp_ = stamp;
      mark_ = byte_order_mark.size();
    }
  }
}

// Takes an event of one line that is completely in the input. Does not copy data.
bool sse_parser::take_usual(std::string_view& input, std::uint64_t stamp, sse_event& out) {
  constexpr std::string_view field = "data: ";
  if (has_data_ || !buffer_.empty() || !name_.empty() || !input.starts_with(field)) return false;
  const char* const begin = input.data() + field.size();
  const char* const end = find(begin, '\n', input.size() - field.size());
  if (end == nullptr || end + 1 == input.data() + input.size() || end[1] != '\n') return false;
  const auto size = static_cast<std::size_t>(end - begin);
  if (find(begin, '\r', size) != nullptr || size + field.size() > limit_) return false;
  out.name = {};
  out.data = {begin, size};
  out.stamp = stamp;
  skip_lf_ = false;
  input.remove_prefix(field.size() + size + 2);
  return true;
}

bool sse_parser::next(std::string_view& input, std::uint64_t stamp, sse_event& out) {
  if (given_) forget();
  if (mark_ < byte_order_mark.size()) skip_mark(input, stamp);
  while (!input.empty() && !failed_) {
    if (take_usual(input, stamp, out)) return true;
    if (skip_lf_) {
      skip_lf_ = false;
      if (input.front() == '\n') {
        input.remove_prefix(1);
        continue;
      }
    }
    const bool empty = input.front() == '\n' || input.front() == '\r';
    const std::size_t end = empty ? 0 : line_end(input);
    const bool unfinished = buffer_.size() > owned_;
    if (end == std::string_view::npos) {
      own_data();
      buffer_ += input;
      line_stamp_ = stamp;
      too_long(buffer_.size() - owned_);
      input = {};
      break;
    }
    std::string_view line = input.substr(0, end);
    if (unfinished) {
      buffer_ += line;
      line = std::string_view(buffer_).substr(owned_);
    }
    const std::uint64_t line_stamp = unfinished && end == 0 ? line_stamp_ : stamp;
    skip_lf_ = input[end] == '\r';
    input.remove_prefix(end + 1);
    if (too_long(line.size())) break;
    const bool complete = take_line(line, unfinished, line_stamp);
    buffer_.resize(owned_);  // drops a line that did not contain data
    if (too_long(0)) break;
    if (complete) {
      give(out);
      return true;
    }
    if (line.empty()) forget();
  }
  own_data();
  if (failed_) input = {};
  return false;
}

bool sse_parser::finish(sse_event& out) {
  if (given_) forget();
  if (failed_) return false;
  if (buffer_.size() > owned_) {
    take_line(std::string_view(buffer_).substr(owned_), true, line_stamp_);
    buffer_.resize(owned_);
    if (too_long(0)) return false;
  }
  if (!has_data_) return false;
  give(out);
  return true;
}

}  // namespace inferbench::transport

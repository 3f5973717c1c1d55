#include "simulator/request_parser.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/http_token.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

// Whether all characters are printable or outside ASCII. Spaces and tabs are allowed only if
// `blanks` is true.
bool is_visible(std::string_view text, bool blanks) {
  return std::ranges::all_of(text, [blanks](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u > 0x20 && u != 0x7F) || (blanks && (u == ' ' || u == '\t'));
  });
}

std::optional<std::uint64_t> number(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool lists(std::string_view value, std::string_view word) {
  return std::ranges::any_of(base::split(value, ','), [word](std::string_view item) {
    return base::equal_no_case(base::trim(item), word);
  });
}

constexpr std::size_t reserve_at_most = std::size_t{1} << 20U;
// A body that does not fit into its memory moves to memory for the rest of it, but for at most so
// many times the bytes so far. So a large body is copied for an eighth of its length, on average.
constexpr std::size_t growth = 8;
constexpr std::size_t keep_at_most = std::size_t{8} << 10U;

}  // namespace

std::string_view http_request::field(std::string_view name) const noexcept {
  for (const auto& [key, value] : fields)
    if (base::equal_no_case(key, name)) return value;
  return {};
}

request_parser::status request_parser::state() const noexcept {
  if (stage_ == stage::done) return status::complete;
  return stage_ == stage::bad ? status::failed : status::unfinished;
}

bool request_parser::awaits_continue() const noexcept {
  return stage_ != stage::head && state() == status::unfinished && body_.empty() &&
         !request_.http10 && !request_.field("expect").empty();
}

bool request_parser::begun() const noexcept {
  return state() == status::unfinished && !(stage_ == stage::head && head_.empty());
}

void request_parser::reset() {
  if (body_.capacity() > keep_at_most) body_ = {};
  if (head_.capacity() > keep_at_most) head_ = {};
  body_.clear();
  head_.clear();
  line_.clear();
  request_.fields.clear();
  request_.http10 = false;
  request_.keep_alive = true;
  request_.body = {};
  stage_ = stage::head;
  left_ = trailer_ = searched_ = 0;
}

void request_parser::fail(int code, std::string_view reason) {
  stage_ = stage::bad;
  failure_ = code;
  reason_ = reason;
}

void request_parser::finish() {
  request_.body = body_;
  stage_ = stage::done;
}

std::size_t request_parser::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && stage_ != stage::done && stage_ != stage::bad) {
    const std::string_view rest = bytes.substr(used);
    bool whole = false;
    switch (stage_) {
      case stage::head: {
        // An empty line before a request is skipped (RFC 9112 2.2).
        if (head_.empty() && (rest[0] == '\r' || rest[0] == '\n')) {
          ++used;
          break;
        }
        const std::size_t room = bounds_.head - head_.size();
        const std::size_t before = head_.size();
        head_.append(rest.substr(0, room));
        const auto end = head_.find("\r\n\r\n", searched_);
        if (end == std::string::npos) {
          if (head_.size() == bounds_.head)
            fail(431, "the request's header fields are too long");
          else if (head_.find("\n\n", searched_) != std::string::npos)
            fail(400, "a line does not end with CR LF");
          searched_ = head_.size() < 3 ? 0 : head_.size() - 3;
          used += head_.size() - before;
          break;
        }
        head_.resize(end + 2);
        used += end + 4 - before;
        read_head();
        break;
      }
      case stage::sized:
      case stage::chunk: {
        const auto size = std::min<std::uint64_t>(left_, rest.size());
        take_piece(rest.substr(0, size));
        used += size;
        left_ -= size;
        if (left_ > 0) break;
        if (stage_ == stage::sized)
          finish();
        else
          stage_ = stage::chunk_end;
        break;
      }
      case stage::chunk_size:
        used += take_line(rest, line_, whole);
        if (whole) read_chunk_size();
        break;
      case stage::chunk_end:
        used += take_line(rest, line_, whole);
        if (!whole) {
          if (line_.size() > 1) fail(400, "a chunk is longer than it says");
        } else if (!line_.empty()) {
          fail(400, "a chunk is longer than it says");
        } else {
          stage_ = stage::chunk_size;
        }
        break;
      case stage::trailer:
        used += take_line(rest, line_, whole);
        if (!whole) break;
        if (line_.empty()) finish();
        line_.clear();
        break;
      case stage::done:
      case stage::bad: break;
    }
  }
  return used;
}

// Appends bytes of the body, of which left_ bytes have not arrived yet.
void request_parser::take_piece(std::string_view bytes) {
  if (bytes.size() > body_.capacity() - body_.size()) {
    const std::size_t size = body_.size();
    std::uint64_t more = std::min<std::uint64_t>(left_, bytes.size() + (growth - 1) * size);
    // Only the rest of this chunk is known, and further chunks may follow.
    if (stage_ == stage::chunk) more = std::max<std::uint64_t>(more, size);
    // A new text, because reserve() takes at least twice the capacity of the old text.
    std::string larger;
    larger.reserve(size + static_cast<std::size_t>(more));
    larger.append(body_);
    body_ = std::move(larger);
  }
  body_.append(bytes);
}

std::string request_parser::take_body() noexcept {
  request_.body = {};
  return std::exchange(body_, {});
}

// Appends the bytes of one line, without the line ending. Sets `whole` if the line ending was
// found. Returns the number of bytes used.
std::size_t request_parser::take_line(std::string_view bytes, std::string& line, bool& whole) {
  const auto feed_at = bytes.find('\n');
  const std::size_t size = feed_at == std::string_view::npos ? bytes.size() : feed_at + 1;
  trailer_ += size;
  // A chunk of one byte needs five bytes of framing. Without this limit, a client could send
  // extensions and leading zeros forever.
  if (trailer_ > bounds_.head + 16 * body_.size()) {
    fail(431, "chunk extensions or trailers are too long");
    return size;
  }
  line.append(bytes.substr(0, size));
  if (feed_at == std::string_view::npos) return size;
  if (line.size() < 2 || line[line.size() - 2] != '\r') {
    fail(400, "a line does not end with CR LF");
    return size;
  }
  line.resize(line.size() - 2);
  whole = true;
  return size;
}

void request_parser::read_head() {
  std::string_view rest = head_;
  bool first = true;
  while (!rest.empty()) {
    const auto end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 2);
    if (!(first ? read_request_line(line) : read_field(line))) return;
    first = false;
  }
  frame_body();
}

bool request_parser::read_request_line(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    fail(400, "the request line is malformed");
    return false;
  }
  request_.method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!base::is_token(request_.method) || target.empty() || !is_visible(target, false)) {
    fail(400, "the request line is malformed");
    return false;
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (version.starts_with("HTTP/"))
      fail(505, "the version of HTTP is not supported");
    else
      fail(400, "the request line is malformed");
    return false;
  }
  request_.http10 = version == "HTTP/1.0";
  if (const auto scheme = target.find("://");
      scheme != std::string_view::npos && target[0] != '/') {
    const auto slash = target.find('/', scheme + 3);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  request_.path = target.substr(0, target.find('?'));
  return true;
}

bool request_parser::read_field(std::string_view line) {
  if (request_.fields.size() == bounds_.fields) {
    fail(431, "the request has too many header fields");
    return false;
  }
  const auto colon = line.find(':');
  // A blank before the colon, or a line that continues the previous line, is refused: proxies
  // interpret them differently (RFC 9112 5.1, 5.2).
  if (colon == std::string_view::npos || !base::is_token(line.substr(0, colon))) {
    fail(400, "a header field is malformed");
    return false;
  }
  const std::string_view value = base::trim(line.substr(colon + 1));
  if (!is_visible(value, true)) {
    fail(400, "a header field holds a control character");
    return false;
  }
  request_.fields.emplace_back(line.substr(0, colon), value);
  return true;
}

void request_parser::frame_body() {
  std::optional<std::string_view> length;
  bool chunked = false;
  std::size_t hosts = 0;
  request_.keep_alive = !request_.http10;
  for (const auto& [name, value] : request_.fields) {
    if (base::equal_no_case(name, "content-length")) {
      if (length && *length != value) return fail(400, "two values of Content-Length");
      length = value;
    } else if (base::equal_no_case(name, "transfer-encoding")) {
      if (chunked || !base::equal_no_case(value, "chunked"))
        return fail(501, "a Transfer-Encoding other than chunked");
      chunked = true;
    } else if (base::equal_no_case(name, "connection")) {
      if (lists(value, "close"))
        request_.keep_alive = false;
      else if (request_.http10 && lists(value, "keep-alive"))
        request_.keep_alive = true;
    } else if (base::equal_no_case(name, "host")) {
      ++hosts;
    } else if (base::equal_no_case(name, "expect") && !base::equal_no_case(value, "100-continue")) {
      return fail(417, "an Expect other than 100-continue");
    }
  }
  if (hosts > 1 || (hosts == 0 && !request_.http10))
    return fail(400, "the request does not have exactly one Host header");
  if (chunked && (length || request_.http10))
    return fail(400, "Transfer-Encoding together with Content-Length or HTTP/1.0");
  if (chunked) {
    stage_ = stage::chunk_size;
    return;
  }
  left_ = 0;
  if (length) {
    const auto bytes = number(*length, 10);
    if (!bytes) return fail(400, "Content-Length is malformed");
    if (*bytes > bounds_.body) return fail(413, "the request's body is too long");
    left_ = *bytes;
  }
  if (left_ == 0) return finish();
  body_.reserve(std::min<std::uint64_t>(left_, reserve_at_most));
  stage_ = stage::sized;
}

void request_parser::read_chunk_size() {
  const std::string_view digits = std::string_view(line_).substr(0, line_.find(';'));
  const auto size = number(base::trim(digits), 16);
  line_.clear();
  if (!size) return fail(400, "the size of a chunk is malformed");
  if (*size > bounds_.body - body_.size()) return fail(413, "the request's body is too long");
  left_ = *size;
  stage_ = left_ == 0 ? stage::trailer : stage::chunk;
}

}  // namespace inferbench::simulator

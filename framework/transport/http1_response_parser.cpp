#include "transport/http1_response_parser.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/http_token.hpp"
#include "base/text.hpp"
#include "transport/http1_grammar.hpp"

namespace inferbench::transport {

namespace {

constexpr std::string_view protocol = "HTTP/1.";
constexpr char tls_alert = 0x15;  // first byte of a TLS server's answer to plain HTTP
constexpr char http2_frame = 0;   // first of the three length bytes of an HTTP/2 frame
constexpr std::uint32_t most_interim = 64;

// Buffers larger than this are freed after an answer, because there may be ten thousand parsers.
constexpr std::size_t kept_text = 4096;
constexpr std::size_t kept_fields = 64;

// The most bytes of a field's name that an error message quotes.
constexpr std::size_t most_quoted = 64;

std::string_view view(const ifb_str& s) noexcept {
  return s.size == 0 ? std::string_view{} : std::string_view{s.data, s.size};
}

// Calls visit(item) for each item of a comma-separated header value.
template <typename visitor>
void for_each_item(std::string_view value, visitor&& visit) {
  for (;;) {
    const auto comma = value.find(',');
    const std::string_view item = without_blanks(value.substr(0, comma));
    if (!item.empty()) visit(item);
    if (comma == std::string_view::npos) return;
    value.remove_prefix(comma + 1);
  }
}

/// An explanation for an answer that begins with `first` and is not HTTP/1.
const char* not_http1(char first) noexcept {
  if (first == tls_alert) return "the server speaks TLS; use a base URL that begins with https://";
  if (first == http2_frame)
    return "the server answers in HTTP/2 and does not seem to accept HTTP/1.1; enable HTTP/1.1 on "
           "the server, or put a proxy in front of it and name the proxy with --base-url";
  return "the answer does not begin with HTTP/1.";
}

std::string_view take(std::string_view& input, std::uint64_t most) noexcept {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, input.size()));
  const std::string_view out = input.substr(0, size);
  input.remove_prefix(size);
  return out;
}

}  // namespace

http1_response_parser::http1_response_parser(std::size_t max_head_bytes) : limit_(max_head_bytes) {}

void http1_response_parser::begin(bool to_head) noexcept {
  if (known_.status == 0 || to_head != to_head_) forget();
  fresh_ = true;
  error_.clear();
  left_ = received_ = 0;
  line_start_ = line_ = 0;
  status_ = interim_ = 0;
  state_ = state::head;
  to_head_ = to_head;
  minor_zero_ = keep_ = false;
  if (!trailer_text_.empty()) [[unlikely]] {
    if (trailer_text_.capacity() > kept_text) std::string().swap(trailer_text_);
    if (trailers_.capacity() > kept_fields) trailers_ = std::vector<ifb_field>();
    trailer_text_.clear();
    trailers_.clear();
  }
}

http1_response_parser::place http1_response_parser::here() const noexcept {
  place out;
  out.left_ = left_;
  out.received_ = received_;
  out.line_ = line_;
  out.state_ = state_;
  out.keep_ = keep_;
  out.announced_ = announced_;
  return out;
}

void http1_response_parser::continue_at(const place& from) noexcept {
  begin();
  left_ = from.left_;
  received_ = from.received_;
  line_ = from.line_;
  state_ = from.state_;
  keep_ = from.keep_;
  announced_ = from.announced_;
}

// Frees the memory of an unusually long head.
void http1_response_parser::forget() noexcept {
  if (text_.capacity() > kept_text) std::string().swap(text_);
  if (fields_.capacity() > kept_fields) fields_ = std::vector<ifb_field>();
  text_.clear();
  fields_.clear();
  reason_ = {};
  known_ = {};
}

bool http1_response_parser::fail(std::string why) {
  error_ = std::move(why);
  state_ = state::failed;
  return false;
}

http1_response_parser::piece http1_response_parser::next(std::string_view& input) {
  switch (state_) {
    case state::head: return take_head(input);
    case state::no_body: state_ = state::ended; return {http1_piece::end};
    case state::length:
      if (left_ == 0) {
        state_ = state::ended;
        return {http1_piece::end};
      }
      [[fallthrough]];
    case state::until_close: {
      if (input.empty()) return {};
      const std::string_view data = take(input, left_);
      received_ += data.size();
      if (state_ == state::length) left_ -= data.size();
      return {http1_piece::body, data};
    }
    case state::ended: return {};
    case state::failed: return {http1_piece::failed};
    case state::data_end:
    case state::size_begin:
      if (input.empty()) return {};
      if (piece usual; take_usual_chunk(input, usual)) return usual;
      return take_chunked(input);
    default: return take_chunked(input);
  }
}

http1_piece http1_response_parser::finish() {
  switch (state_) {
    case state::ended: return http1_piece::more;
    case state::failed: return http1_piece::failed;
    case state::no_body:
    case state::until_close: state_ = state::ended; return http1_piece::end;
    case state::head:
      fail(started() ? "the connection was closed inside the header of the answer"
                     : "the connection was closed before any byte of the answer");
      return http1_piece::failed;
    case state::length:
      if (left_ == 0) {
        state_ = state::ended;
        return http1_piece::end;
      }
      fail("the connection was closed after " + std::to_string(received_) + " of " +
           std::to_string(received_ + left_) + " body bytes");
      return http1_piece::failed;
    default:
      fail("the connection was closed inside a chunked body, after " + std::to_string(received_) +
           " bytes and before its last chunk");
      return http1_piece::failed;
  }
}

ifb_http_head http1_response_parser::head() const noexcept {
  ifb_http_head out{};
  out.struct_size = sizeof out;
  if (fresh_) return out;
  out.status = status_;
  out.headers = fields_.data();
  out.header_count = fields_.size();
  return out;
}

std::string_view http1_response_parser::find(std::string_view name) const noexcept {
  if (fresh_) return {};
  for (const ifb_field& field : fields_)
    if (base::equal_no_case(view(field.name), name)) return view(field.value);
  return {};
}

// Usually the heads of a server's answers differ only in values that do not change the parser's
// state, such as the date and the request id. Such a value is replaced in place if its length is
// the same as before.
bool http1_response_parser::take_known_head(std::string_view& input) noexcept {
  if (known_.status == 0 || input.size() < text_.size()) return false;
  const char* const from = input.data();
  std::size_t same = 0;  // number of equal bytes
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string_view value = view(fields_[i].value);
    if (value.empty()) continue;
    const auto begin = static_cast<std::size_t>(value.data() - text_.data());
    const std::size_t end = begin + value.size();
    if (std::memcmp(from + same, text_.data() + same, end - same) != 0) {
      const std::string_view other(from + begin, value.size());
      if ((framing_ >> i & 1U) != 0 || !valid_value(other) || without_blanks(other) != other ||
          std::memcmp(from + same, text_.data() + same, begin - same) != 0)
        return false;
      std::memcpy(text_.data() + begin, other.data(), other.size());
    }
    same = end;
  }
  if (std::memcmp(from + same, text_.data() + same, text_.size() - same) != 0) return false;
  input.remove_prefix(text_.size());
  status_ = known_.status;
  left_ = known_.left;
  keep_ = known_.keep;
  announced_ = known_.announced;
  state_ = known_.next;
  return true;
}

// Copies the head line by line, since views of the head must outlive the read. Bytes after the head
// stay in the input.
http1_response_parser::piece http1_response_parser::take_head(std::string_view& input) {
  if (input.empty()) return {};
  if (fresh_) {
    fresh_ = false;
    if (take_known_head(input)) return {http1_piece::head};
    forget();
  }
  while (!input.empty()) {
    const auto lf = input.find('\n');
    const bool checked = text_.size() >= protocol.size();
    const std::size_t room = limit_ - std::min(limit_, text_.size()) + 1;
    text_ += take(input, std::min(room, lf == std::string_view::npos ? input.size() : lf + 1));
    const std::size_t compared = std::min(text_.size(), protocol.size());
    if (!checked && text_.compare(0, compared, protocol, 0, compared) != 0)
      return fail(not_http1(text_.front())), piece{http1_piece::failed};
    if (text_.size() > limit_)
      return fail("the header of the answer is longer than " + std::to_string(limit_) + " bytes"),
             piece{http1_piece::failed};
    if (text_.back() != '\n') continue;
    const std::string_view line = std::string_view(text_).substr(line_start_);
    line_start_ = text_.size();
    if (line != "\r\n" && line != "\n") continue;
    if (!parse_head()) return {http1_piece::failed};
    if (state_ == state::head) continue;
    if (text_.size() <= kept_text && fields_.size() <= kept_fields && interim_ == 0)
      known_ = {left_, status_, state_, keep_, announced_};
    return {http1_piece::head};
  }
  return {};
}

bool http1_response_parser::parse_head() {
  const auto end = text_.find('\n');
  std::string_view line = std::string_view(text_).substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!parse_status(line) || !parse_fields(end + 1)) return false;
  if (status_ < 200) {
    if (status_ == 101) return fail("the server switched to another protocol, unasked");
    if (++interim_ > most_interim) return fail("the server sends interim answers without end");
    text_.clear();
    fields_.clear();
    line_start_ = 0;
    status_ = 0;
    return true;
  }
  return decide_framing();
}

// Parses "HTTP/1.1 200 OK". The reason may be missing, and so may the blank before it.
bool http1_response_parser::parse_status(std::string_view line) {
  const auto digit = [&](std::size_t at) { return line[at] >= '0' && line[at] <= '9'; };
  const std::size_t status_at = protocol.size() + 2;
  const std::size_t status_end = status_at + 3;
  if (line.size() < status_end || !digit(protocol.size()) || line[protocol.size() + 1] != ' ' ||
      line[status_at] < '1' || !digit(status_at) || !digit(status_at + 1) ||
      !digit(status_at + 2) || (line.size() > status_end && line[status_end] != ' ') ||
      !valid_value(line))
    return fail("the status line of the answer is malformed");
  minor_zero_ = line[protocol.size()] == '0';
  status_ = 0;
  for (std::size_t i = status_at; i < status_end; ++i)
    status_ = status_ * 10 + static_cast<std::uint32_t>(line[i] - '0');
  reason_ = line.size() > status_end ? line.substr(status_end + 1) : std::string_view{};
  return true;
}

bool http1_response_parser::parse_fields(std::size_t at) {
  bool first = true;
  for (;;) {
    auto end = text_.find('\n', at);
    // A line that begins with a blank continues the previous line. The lines are joined in place:
    // blanks replace the line ending.
    while (end + 1 < text_.size() && end > at + 1 &&
           (text_[end + 1] == ' ' || text_[end + 1] == '\t')) {
      text_[end] = ' ';
      if (text_[end - 1] == '\r') text_[end - 1] = ' ';
      end = text_.find('\n', end);
    }
    std::string_view line = std::string_view(text_).substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return true;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !base::is_token(line.substr(0, colon)) ||
        !valid_value(line.substr(colon + 1)))
      return fail(
          std::string("a header line of the answer is malformed") +
          (first ? ""
                 : ", after " + std::string(view(fields_.back().name).substr(0, most_quoted))));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    fields_.push_back({{line.data(), colon}, {value.data(), value.size()}});
    first = false;
    at = end + 1;
  }
}

bool http1_response_parser::decide_framing() {
  bool close = false;
  bool keep_alive = false;
  bool has_length = false;
  std::size_t codings = 0;
  std::string_view coding;
  std::uint64_t length = 0;
  bool good_length = true;
  framing_ = 0;
  announced_ = false;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string_view name = view(fields_[i].name);
    const std::string_view value = view(fields_[i].value);
    const std::uint64_t bit = i < 64 ? std::uint64_t{1} << i : 0;
    if (base::equal_no_case(name, "connection")) {
      framing_ |= bit;
      for_each_item(value, [&](std::string_view item) {
        close |= base::equal_no_case(item, "close");
        keep_alive |= base::equal_no_case(item, "keep-alive");
      });
    } else if (base::equal_no_case(name, "keep-alive")) {
      framing_ |= bit;
      announced_ = true;
      for_each_item(value, [&](std::string_view item) { close |= item == "max=0"; });
    } else if (base::equal_no_case(name, "transfer-encoding")) {
      framing_ |= bit;
      for_each_item(value, [&](std::string_view item) {
        if (base::equal_no_case(item, "identity")) return;
        ++codings;
        coding = item;
      });
    } else if (base::equal_no_case(name, "content-length")) {
      framing_ |= bit;
      good_length &= !value.empty();
      for_each_item(value, [&](std::string_view item) {
        const auto one = base::parse_int(item);
        const bool digits = item.find_first_not_of("0123456789") == std::string_view::npos;
        if (!one || !digits || (has_length && static_cast<std::uint64_t>(*one) != length))
          good_length = false;
        else
          length = static_cast<std::uint64_t>(*one);
        has_length = true;
      });
    }
  }
  keep_ = !close && (!minor_zero_ || keep_alive);

  if (to_head_ || status_ == 204 || status_ == 304) {
    state_ = state::no_body;
    return true;
  }
  if (codings > 0) {
    if (codings > 1 || !base::equal_no_case(coding, "chunked"))
      return fail("the answer has a transfer coding other than chunked");
    // The transfer coding has priority over a length (RFC 9112 6.3). If an answer has both, or is
    // HTTP/1.0 with a transfer coding, its connection must not be reused (RFC 9112 6.1).
    if (has_length || minor_zero_) keep_ = false;
    state_ = state::size_begin;
    return true;
  }
  if (!good_length) return fail("the answer has a malformed or contradictory Content-Length");
  if (has_length) {
    left_ = length;
    state_ = state::length;
    return true;
  }
  left_ = UINT64_MAX;
  keep_ = false;
  state_ = state::until_close;
  return true;
}

}  // namespace inferbench::transport

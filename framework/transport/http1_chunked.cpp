// The chunked body of http1_response_parser: the part that runs once for every event of a stream.
// One call of next() takes the line ending of the previous chunk, and the size line and the data of
// the next chunk. This is one step if they have their usual form.
#include <algorithm>
#include <array>

#include "base/http_token.hpp"
#include "transport/http1_grammar.hpp"
#include "transport/http1_response_parser.hpp"

namespace inferbench::transport {

namespace {

// The value of a hexadecimal digit, or -1.
constexpr auto hex_values = [] {
  std::array<signed char, 256> table{};
  for (auto& value : table)
    value = -1;
  for (int i = 0; i < 10; ++i)
    table[static_cast<std::size_t>('0' + i)] = static_cast<signed char>(i);
  for (int i = 0; i < 6; ++i) {
    table[static_cast<std::size_t>('a' + i)] = static_cast<signed char>(10 + i);
    table[static_cast<std::size_t>('A' + i)] = static_cast<signed char>(10 + i);
  }
  return table;
}();

std::string in_hex(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte >> 4U], digits[byte & 15U]};
}

// A chunk size in its usual form: up to four digits, with the whole line ending in the input. If
// `size` is 0, the input has another form.
struct size_line {
  std::uint64_t size;
  const char* behind;
};
size_line usual_size(const char* at, const char* end) noexcept {
  constexpr std::ptrdiff_t longest = 6;
  if (end - at < longest) return {0, at};
  std::uint64_t size = 0;
  for (int i = 0; i < 4; ++i, ++at) {
    const signed char digit = hex_values[static_cast<unsigned char>(*at)];
    if (digit < 0) break;
    size = size << 4U | static_cast<unsigned char>(digit);
  }
  if (at[0] != '\r' || at[1] != '\n') return {0, at};
  return {size, at + 2};
}

}  // namespace

// Takes a chunk with its line ending, or the end of the body. Returns false if the input has
// another form or is incomplete; in that case nothing was taken.
bool http1_response_parser::take_usual_chunk(std::string_view& input, piece& out) noexcept {
  constexpr std::string_view line_end = "\r\n";
  constexpr std::string_view last = "0\r\n\r\n";
  const char* at = input.data();
  const char* const end = at + input.size();
  if (state_ == state::data_end) {
    if (!input.starts_with(line_end)) return false;
    at += line_end.size();
  }
  if (std::string_view(at, end).starts_with(last)) {
    input = {at + last.size(), end};
    left_ = 0;
    line_ = 0;
    state_ = state::ended;
    out = {http1_piece::end};
    return true;
  }
  const auto [size, behind] = usual_size(at, end);
  if (size == 0 || behind == end) return false;
  const auto taken =
      std::min(static_cast<std::size_t>(size), static_cast<std::size_t>(end - behind));
  left_ = size - taken;
  received_ += taken;
  state_ = left_ == 0 ? state::data_end : state::data;
  out = {http1_piece::body, {behind, taken}};
  input = {behind + taken, end};
  if (left_ == 0 && input.starts_with(line_end)) {
    input.remove_prefix(line_end.size());
    state_ = state::size_begin;
  }
  return true;
}

http1_response_parser::piece http1_response_parser::take_chunked(std::string_view& input) {
  const char* at = input.data();
  const char* const end = at + input.size();
  const auto pair_at = [end](const char* p) { return end - p > 1 && p[0] == '\r' && p[1] == '\n'; };
  const auto refuse = [&](const char* where) {
    fail("the chunked body is malformed: unexpected byte " + in_hex(*at) + " " + where);
    return piece{http1_piece::failed};
  };
  const auto refuse_length = [&] {
    fail("the chunked body has a chunk extension or trailer longer than " + std::to_string(limit_) +
         " bytes");
    return piece{http1_piece::failed};
  };

  while (at != end) {
    switch (state_) {
      case state::data_end:
        if (pair_at(at)) {
          at += 2;
          state_ = state::size_begin;
          break;
        }
        if (*at == '\r')
          state_ = state::data_lf;
        else if (*at == '\n')
          state_ = state::size_begin;
        else
          return refuse("after a chunk");
        ++at;
        break;

      case state::data_lf:
        if (*at != '\n') return refuse("after a chunk");
        ++at;
        state_ = state::size_begin;
        break;

      case state::size_begin:
        if (hex_values[static_cast<unsigned char>(*at)] < 0)
          return refuse("where a chunk size belongs");
        left_ = 0;
        line_ = 0;
        state_ = state::size;
        [[fallthrough]];

      case state::size: {
        const char* const begin = at;
        std::uint64_t size = left_;
        bool too_large = false;
        for (; at != end && !too_large; ++at) {
          const signed char digit = hex_values[static_cast<unsigned char>(*at)];
          if (digit < 0) break;
          too_large = size >> 59U != 0;
          size = size << 4U | static_cast<unsigned char>(digit);
        }
        left_ = size;
        line_ += static_cast<std::size_t>(at - begin);
        if (too_large || line_ > limit_) {
          fail("the chunked body has a chunk size that is too large");
          return {http1_piece::failed};
        }
        if (at == end) break;
        state_ = state::size_blank;
        [[fallthrough]];
      }

      case state::size_blank:
        if (pair_at(at)) {
          at += 2;
          end_size_line();
          break;
        }
        if (*at == '\r')
          state_ = state::size_lf;
        else if (*at == '\n')
          end_size_line();
        else if (*at == ';')
          state_ = state::extension;
        else if (*at != ' ' && *at != '\t')
          return refuse("in a chunk size");
        else if (++line_ > limit_)
          return refuse_length();
        ++at;
        break;

      case state::size_lf:
        if (*at != '\n') return refuse("in a chunk size");
        end_size_line();
        ++at;
        break;

      case state::extension:
        if (*at == '\n')
          end_size_line();
        else if (++line_ > limit_)
          return refuse_length();
        ++at;
        break;

      case state::data: {
        const auto there = static_cast<std::uint64_t>(end - at);
        const auto size = static_cast<std::size_t>(there < left_ ? there : left_);
        left_ -= size;
        received_ += size;
        if (left_ == 0) state_ = state::data_end;
        input = {at + size, static_cast<std::size_t>(end - at) - size};
        return {http1_piece::body, {at, size}};
      }

      case state::trailer_begin:
        if (*at == '\r') {
          state_ = state::trailer_lf;
          ++at;
          break;
        }
        if (*at == '\n') return end_trailers(input, at + 1);
        state_ = state::trailer;
        [[fallthrough]];

      case state::trailer:
        if (*at == '\n') state_ = state::trailer_begin;
        if (++line_ > limit_) return refuse_length();
        trailer_text_ += *at;
        ++at;
        break;

      case state::trailer_lf:
        if (*at != '\n') return refuse("after the last chunk");
        return end_trailers(input, at + 1);

      default: return {};  // next() handles all other states itself
    }
  }
  input = {};
  return {};
}

// `behind`: the first byte after the answer. A malformed line is left out, because the body is
// already complete.
http1_response_parser::piece http1_response_parser::end_trailers(std::string_view& input,
                                                                 const char* behind) {
  state_ = state::ended;
  input.remove_prefix(static_cast<std::size_t>(behind - input.data()));
  for (std::string_view rest = trailer_text_; !rest.empty();) {
    const auto line_feed = rest.find('\n');
    std::string_view line = rest.substr(0, line_feed);
    rest.remove_prefix(line_feed + 1);  // every line has its line feed
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !base::is_token(line.substr(0, colon)) ||
        !valid_value(line.substr(colon + 1)))
      continue;
    const std::string_view value = without_blanks(line.substr(colon + 1));
    trailers_.push_back({{line.data(), colon}, {value.data(), value.size()}});
  }
  return {http1_piece::end};
}

void http1_response_parser::end_size_line() noexcept {
  state_ = left_ == 0 ? state::trailer_begin : state::data;
  line_ = 0;
}

}  // namespace inferbench::transport

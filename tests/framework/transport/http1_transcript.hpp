// Runs an answer through http1_response_parser and records its pieces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transport/http1_response_parser.hpp"

namespace inferbench::transport::test {

struct answer {
  std::string head;  // "200 OK|Name=value|..."
  std::string body;
  std::string error;
  bool ended = false;
  bool reusable = false;
  std::string left_over;  // bytes after the end of the answer, from the read that contained the end
  std::string trailers;   // "Name=value|..."

  bool operator==(const answer&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const answer& a) {
    return out << "{head: " << a.head << ", body: " << a.body << ", error: " << a.error
               << ", ended: " << a.ended << ", reusable: " << a.reusable
               << ", trailers: " << a.trailers << "}";
  }
};

/// Parses the next answer from `reads`. `to_head`: the request was a HEAD request. `eof`: the
/// connection ends after the last read.
inline answer parse(http1_response_parser& parser, const std::vector<std::string_view>& reads,
                    bool to_head = false, bool eof = true) {
  parser.begin(to_head);
  answer out;
  const auto take = [&](std::string_view& input) {
    for (;;) {
      const auto piece = parser.next(input);
      if (piece.kind == http1_piece::more) return;
      if (piece.kind == http1_piece::failed) {
        out.error = parser.error();
        return;
      }
      if (piece.kind == http1_piece::head) {
        const ifb_http_head head = parser.head();
        out.head = std::to_string(head.status);
        out.head.append(" ").append(parser.reason());
        for (std::size_t i = 0; i < head.header_count; ++i) {
          const ifb_field& field = head.headers[i];
          out.head.append("|").append(field.name.data, field.name.size);
          out.head.append("=").append(field.value.data, field.value.size);
        }
      }
      if (piece.kind == http1_piece::body) out.body += piece.data;
      if (piece.kind == http1_piece::end) {
        out.ended = true;
        out.left_over = input;
        return;
      }
    }
  };
  for (const std::string_view read : reads) {
    // The copy is destroyed after each round, so that a later use of a view into it is found.
    const std::string copy(read);
    std::string_view input = copy;
    take(input);
    if (out.ended || !out.error.empty()) break;
  }
  if (eof && !out.ended && out.error.empty()) {
    const auto last = parser.finish();
    out.ended = last == http1_piece::end;
    if (last == http1_piece::failed) out.error = parser.error();
  }
  out.reusable = parser.reusable();
  for (const ifb_field& field : parser.trailers())
    out.trailers.append(field.name.data, field.name.size)
        .append("=")
        .append(field.value.data, field.value.size)
        .append("|");
  return out;
}

inline answer parse(const std::vector<std::string_view>& reads, bool to_head = false,
                    bool eof = true, std::size_t limit = 64 * 1024) {
  http1_response_parser parser(limit);
  return parse(parser, reads, to_head, eof);
}

/// `data` as one chunk of a chunked body.
inline std::string chunk(std::string_view data) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string size;
  for (std::size_t n = data.size(); n != 0; n /= 16)
    size.insert(0, 1, digits[n % 16]);
  return size + "\r\n" + std::string(data) + "\r\n";
}

}  // namespace inferbench::transport::test

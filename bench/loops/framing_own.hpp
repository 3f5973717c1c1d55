// Parses HTTP with inferbench's parser.
#pragma once

#include <string_view>

#include "transport/http1_response_parser.hpp"

namespace inferbench::bench {

class framing {
 public:
  framing() { parser_.begin(); }

  /// Calls sink(body bytes); returns true if the answer is complete.
  template <typename sink_type>
  [[nodiscard]] bool take(std::string_view bytes, sink_type&& sink) {
    for (;;) {
      const auto piece = parser_.next(bytes);
      switch (piece.kind) {
        case transport::http1_piece::more: return false;
        case transport::http1_piece::head: break;
        case transport::http1_piece::body: sink(piece.data); break;
        case transport::http1_piece::end: parser_.begin(); return true;
        case transport::http1_piece::failed: failed_ = true; return false;
      }
    }
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  transport::http1_response_parser parser_;
  bool failed_ = false;
};

}  // namespace inferbench::bench

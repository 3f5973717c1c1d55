// Every client of bench/loops processes the bytes of a connection in the same way: one of three
// HTTP parsers, then inferbench's event parser and the JSON scan. The macro BENCH_FRAMING is the
// name of the header with the HTTP parser.
#pragma once

#include <cstdint>
#include <string_view>

#include "../common/json_scan.hpp"
#include "../common/totals.hpp"
#include "transport/sse.hpp"

#include BENCH_FRAMING

namespace inferbench::bench {

/// The answers of one connection, one after another.
class answer {
 public:
  explicit answer(totals& all) : all_(all) {}

  /// Returns true if the bytes complete an answer. failed() is true after an invalid answer.
  [[nodiscard]] bool take(std::string_view bytes) {
    ++all_.reads;
    all_.bytes += bytes.size();
    const bool ended = framing_.take(bytes, [this](std::string_view body) {
      for (transport::sse_event e; events_.next(body, 0, e);)
        look_into(e.data);
    });
    if (!ended) return false;
    ++all_.requests;
    events_.begin();
    return true;
  }
  [[nodiscard]] bool failed() const { return framing_.failed() || events_.failed(); }

 private:
  void look_into(std::string_view event) {
    const seen found = scan(event);
    all_.prompt_tokens += found.prompt_tokens;
    if (found.token) ++all_.events;
  }

  totals& all_;
  framing framing_;
  transport::sse_parser events_;
};

}  // namespace inferbench::bench

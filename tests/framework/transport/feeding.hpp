// Gives a read to a parser of stream framing, and each completed piece to a sink.
#pragma once

#include <cstdint>
#include <string_view>

#include "transport/lines.hpp"
#include "transport/sse.hpp"

namespace inferbench::transport::test {

/// Calls sink(name, data, stamp) for each event. False if the parser has failed.
template <typename sink_type>
bool feed(sse_parser& parser, std::string_view input, std::uint64_t stamp, sink_type&& sink) {
  for (sse_event e; parser.next(input, stamp, e);)
    sink(e.name, e.data, e.stamp);
  return !parser.failed();
}

/// Ends the input, and calls sink(name, data, stamp) if the rest is an event. False if the parser
/// has failed.
template <typename sink_type>
bool finish(sse_parser& parser, sink_type&& sink) {
  if (sse_event e; parser.finish(e)) sink(e.name, e.data, e.stamp);
  return !parser.failed();
}

/// Calls sink(text, stamp) for each line.
template <typename sink_type>
bool feed(line_parser& parser, std::string_view input, std::uint64_t stamp, sink_type&& sink) {
  for (text_line l; parser.next(input, stamp, l);)
    sink(l.text, l.stamp);
  return !parser.failed();
}

}  // namespace inferbench::transport::test

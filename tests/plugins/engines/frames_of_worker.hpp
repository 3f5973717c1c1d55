// Frames as a worker sends them, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "engines/python-engine/frame.hpp"

namespace engine_test {

using python_engine::frame;
using python_engine::frame_kind;

inline std::string little(std::uint64_t value, std::size_t size) {
  std::string out;
  python_engine::append_number(out, value, size);
  return out;
}

/// The bytes of a frame, whatever it contains.
inline std::string bytes_of(frame_kind kind, std::string_view payload = {}) {
  return little(payload.size(), 4) + little(static_cast<std::uint8_t>(kind), 4) +
         std::string(payload);
}

/// A frame with number 7.
inline frame frame_of(frame_kind kind, std::string payload) {
  return {kind, 7, 0, std::move(payload)};
}

struct token_event {
  std::uint64_t item;
  std::uint64_t output;
  std::uint64_t tokens;
};
inline std::string tokens_payload(std::uint64_t stamp, std::initializer_list<token_event> events) {
  std::string out = little(stamp, 8) + little(events.size(), 4);
  for (const token_event& each : events)
    out += little(each.item, 4) + little(each.output, 2) + little(each.tokens, 2);
  return out;
}

struct text_event {
  std::uint64_t request;
  std::uint64_t output;
  std::uint64_t tokens;
  std::string_view text;
};
inline std::string text_payload(std::uint64_t stamp, std::initializer_list<text_event> events) {
  std::string out = little(stamp, 8) + little(events.size(), 4);
  for (const text_event& each : events)
    out += little(each.request, 4) + little(each.output, 2) + little(each.tokens, 2) +
           little(each.text.size(), 4);
  for (const text_event& each : events)
    out += each.text;
  return out;
}

}  // namespace engine_test

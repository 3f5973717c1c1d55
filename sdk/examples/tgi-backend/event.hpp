// One event of /generate_stream, read in a single pass without a tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The parts of an event that the codec needs; numbers are -1 where the event has none.
struct tgi_event {
  bool has_token = false;
  bool special = false;  // a token that is no text, such as the end of sequence
  std::string text;
  bool last = false;  // it carries the whole text, and with it the figures
  std::string finish_reason;
  std::int64_t generated_tokens = -1;
  std::int64_t input_length = -1;
  std::string error;  // not empty: generation failed half-way

  /// Throws ifb::failure (IFB_E_PROTOCOL) when `json` is no JSON object.
  [[nodiscard]] static tgi_event read(std::string_view json);
};

// One event of /generate_stream, parsed in a single pass without a tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The parts of an event that the codec needs. Numbers are -1 if the event does not have them.
struct tgi_event {
  bool has_token = false;
  bool special = false;  // a token without text, for example the end of sequence
  std::string text;
  bool last = false;  // the last event, which has the complete text and the token counts
  std::string finish_reason;
  std::int64_t generated_tokens = -1;
  std::int64_t input_length = -1;
  std::string error;  // not empty: the generation failed after its start

  /// Throws ifb::failure (IFB_E_PROTOCOL) if `json` is not a JSON object.
  [[nodiscard]] static tgi_event read(std::string_view json);
};

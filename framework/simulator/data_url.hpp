// Reads data: URLs (RFC 2397) and base64 (RFC 4648), as strictly as vLLM does. No state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferbench::simulator {

/// The parts of a data: URL, as views into it.
struct data_url {
  std::string_view type;  // the media type, without parameters; may be empty
  std::string_view data;  // in base64
};

/// Splits a URL that begins with "data:". Returns nullopt and sets `fault` to a clause if it has no
/// comma, or its data is not in base64.
[[nodiscard]] std::optional<data_url> split_data_url(std::string_view url, std::string& fault);

/// Decodes base64 of the standard alphabet, with padding and without white space. Returns nullopt
/// and sets `fault` to a clause with the position if the text is anything else.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text, std::string& fault);

}  // namespace inferbench::simulator

// Reads the messages of chats, and the items of the input of /v1/responses. The functions have no
// state.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "simulator/body_reader.hpp"

namespace inferbench::simulator {

/// Whether a server would fetch or decode this URL of an image, a video or a sound.
[[nodiscard]] bool is_media_url(std::string_view url) noexcept;

/// Appends the texts of a list of chat messages to `text`. Images, videos and sounds are checked,
/// but have no text. `param`: the name of the member in refusals. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> read_messages(const base::json_value& messages,
                                                   const std::string& param, std::string& text);

/// Like read_messages(), for the items of an input: messages, calls of tools and their results, and
/// reasoning.
[[nodiscard]] std::optional<refusal> read_input_items(const base::json_value& items,
                                                      const std::string& param, std::string& text);

}  // namespace inferbench::simulator

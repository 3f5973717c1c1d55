// Reads the messages of chats, and the items of the input of /v1/responses. The functions have no
// state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/body_reader.hpp"
#include "simulator/sent_medium.hpp"

namespace inferbench::simulator {

/// Whether a server would fetch or decode this URL of an image, a video or a sound.
[[nodiscard]] bool is_media_url(std::string_view url) noexcept;

/// Receives the content of messages: texts are appended to `text`, and media to `media`. The
/// contents of media point into the JSON value that was read.
struct content_sink {
  std::string& text;
  std::vector<sent_medium>& media;
};

/// Reads a list of chat messages. Images, videos and sounds have no text. `param`: the name of the
/// member in refusals. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> read_messages(const base::json_value& messages,
                                                   const std::string& param,
                                                   const content_sink& out);

/// Like read_messages(), for the items of an input: messages, calls of tools and their results, and
/// reasoning.
[[nodiscard]] std::optional<refusal> read_input_items(const base::json_value& items,
                                                      const std::string& param,
                                                      const content_sink& out);

/// Reads the content parts of a query or a document of a rerank: texts, and parts with a medium.
/// All other parts are ignored.
void read_ranked_parts(const base::json_value& parts, const std::string& param,
                       const content_sink& out);

}  // namespace inferbench::simulator

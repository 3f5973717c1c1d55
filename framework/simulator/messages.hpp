// Reads the messages of chat requests, the input items of requests to /v1/responses, and the
// content parts of rerank requests. The functions have no state; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/body_reader.hpp"
#include "simulator/sent_medium.hpp"

namespace inferbench::simulator {

/// Returns whether vLLM would fetch or decode this URL of an image, a video or a sound. This
/// depends on the scheme only: http, https, data or file.
[[nodiscard]] bool is_media_url(std::string_view url) noexcept;

/// Receives the content of messages: texts are appended to `text`, and media to `media`. The
/// contents of media point into the JSON value that was read, so this value must outlive them.
struct content_sink {
  std::string& text;
  std::vector<sent_medium>& media;
};

/// Reads a list of chat messages. Images, videos and sounds add no text. `param`: the name of the
/// member that contains the list, for refusals and for sent_medium::place. Returns nullopt on
/// success; after a refusal `out` may have the content of the first messages.
[[nodiscard]] std::optional<refusal> read_messages(const base::json_value& messages,
                                                   const std::string& param,
                                                   const content_sink& out);

/// Like read_messages(), for the items of an input: messages, calls of tools and their results,
/// reasoning, and references to items. `items` must be an array.
[[nodiscard]] std::optional<refusal> read_input_items(const base::json_value& items,
                                                      const std::string& param,
                                                      const content_sink& out);

/// Reads the content parts of a query or a document of a rerank request: texts, and parts with a
/// medium. All other parts are ignored. `parts` must be an array. `param`: the name of the member
/// that contains the parts, for sent_medium::place.
void read_ranked_parts(const base::json_value& parts, const std::string& param,
                       const content_sink& out);

}  // namespace inferbench::simulator

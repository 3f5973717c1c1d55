// POST /v1/embeddings, with an input or with messages.
#pragma once

#include <cstddef>
#include <string_view>

#include <inferbench/abi.h>

#include "pooling.hpp"

namespace openai {

struct embeddings_endpoint {
  static constexpr const char* endpoint = "\"/v1/embeddings\"";
  static constexpr std::string_view ending = "embeddings";
  static constexpr std::string_view example = "/v1/embeddings";
};

/// Prompts: text, list of texts, token ids, list of lists of token ids.
struct embeddings : embeddings_endpoint {
  static constexpr const char* id = "openai-embeddings";
  static constexpr const char* summary = "OpenAI embeddings of texts or token ids.";
  static void lay_out(bodies::body_layout& layout);
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
  static std::size_t inputs(const ifb_sample& sample);
};

/// Prompts: text with media, content parts, chat messages.
struct embeddings_chat : embeddings_endpoint {
  static constexpr const char* id = "openai-embeddings-chat";
  static constexpr const char* summary = "Embeddings of chat messages, as vLLM has them.";
  static void lay_out(bodies::body_layout& layout);
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
  static std::size_t inputs(const ifb_sample&) { return 1; }
};

/// As embeddings_chat; with media the text is left empty, as CLIP takes one or the other.
struct embeddings_clip : embeddings_chat {
  static constexpr const char* id = "openai-embeddings-clip";
  static constexpr const char* summary = "Embeddings of texts or images, for CLIP.";
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
};

/// As embeddings_chat, with the media first. Beside media the text becomes an instruction,
/// which quotes the text as a question if the number in the request's id is odd.
struct embeddings_vlm2vec : embeddings_chat {
  static constexpr const char* id = "openai-embeddings-vlm2vec";
  static constexpr const char* summary = "Embeddings of texts and images, for VLM2Vec.";
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
};

}  // namespace openai

// POST /v1/embeddings, with a member `input` or with a member `messages`.
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

/// Accepts these prompts: text, list of texts, token ids, list of lists of token ids.
struct embeddings : embeddings_endpoint {
  static constexpr const char* id = "openai-embeddings";
  static constexpr const char* summary = "OpenAI embeddings of texts or token ids.";
  static void lay_out(bodies::body_layout& layout);
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
  static std::size_t inputs(const ifb_sample& sample);
};

/// Accepts these prompts: text with media, content parts, chat messages.
struct embeddings_chat : embeddings_endpoint {
  static constexpr const char* id = "openai-embeddings-chat";
  static constexpr const char* summary = "Embeddings of chat messages, as vLLM has them.";
  static void lay_out(bodies::body_layout& layout);
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
  static std::size_t inputs(const ifb_sample&) { return 1; }
};

/// Like embeddings_chat, but if the sample has media, its text is left empty: CLIP takes either
/// text or media.
struct embeddings_clip : embeddings_chat {
  static constexpr const char* id = "openai-embeddings-clip";
  static constexpr const char* summary = "Embeddings of texts or images, for CLIP.";
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
};

/// Like embeddings_chat, but the media come first. If there are media, the text becomes an
/// instruction. If the request's id ends in an odd number, the instruction quotes the text as a
/// question.
struct embeddings_vlm2vec : embeddings_chat {
  static constexpr const char* id = "openai-embeddings-vlm2vec";
  static constexpr const char* summary = "Embeddings of texts and images, for VLM2Vec.";
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
};

}  // namespace openai

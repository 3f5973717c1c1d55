// Reads and checks the JSON bodies of requests for generated text: completions, chats and
// responses. The functions have no state. Members that vLLM supports and this server does not
// (sampling, logprobs, stop words) are accepted and ignored. Members that would change the
// structure of the answer are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/body_reader.hpp"
#include "simulator/sent_medium.hpp"
#include "simulator/structured_request.hpp"
#include "simulator/tool_request.hpp"

namespace inferbench::simulator {

enum class api_kind : std::uint8_t {
  completion,
  chat,
  response,
  transcription,
  translation,
  embedding,
  pooling,
  rerank
};

/// True if the request is audio and the answer is its text.
[[nodiscard]] constexpr bool hears(api_kind kind) noexcept {
  return kind == api_kind::transcription || kind == api_kind::translation;
}
/// True if the answer has vectors or scores instead of generated text.
[[nodiscard]] constexpr bool pools(api_kind kind) noexcept {
  return kind == api_kind::embedding || kind == api_kind::pooling || kind == api_kind::rerank;
}

struct generation_request {
  api_kind kind = api_kind::completion;
  std::string model;   // empty: the request does not name a model
  std::string prompt;  // text, or token ids as 4 bytes each
  std::uint64_t token_bytes = 1;
  std::uint64_t sound_tokens = 0;
  double sound_seconds = 0;
  std::vector<sent_medium> media;  // their contents point into the body, or are copies
  std::optional<std::uint64_t> max_tokens;
  std::uint64_t min_tokens = 0;
  bool ignore_eos = false;
  bool stream = false;
  bool include_usage = false;
  bool continuous_usage = false;  // every event has the usage so far
  demanded_structure structure;
  demanded_call call;  // only set for a chat or a response that demands no structure

  [[nodiscard]] std::uint64_t text_tokens() const noexcept { return prompt.size() / token_bytes; }
  [[nodiscard]] std::uint64_t prompt_tokens() const noexcept {
    return text_tokens() + sound_tokens;
  }
};

/// Reads the body of a completion, chat or response request into `out`. The caller sets `out.kind`
/// to the kind of the request. Returns the refusal to send, or nullopt on success; so do all
/// functions below.
[[nodiscard]] std::optional<refusal> read_generation(std::string_view body,
                                                     generation_request& out);

/// Reads the body of /tokenize. `text` becomes the prompt, or the contents of the messages.
[[nodiscard]] std::optional<refusal> read_tokenize(std::string_view body, std::string& text);

/// Reads the body of /detokenize. `text` becomes the bytes of the token ids.
[[nodiscard]] std::optional<refusal> read_detokenize(std::string_view body, std::string& text);

/// The length of an answer and the reason for its end.
struct answer_length {
  std::uint64_t tokens;  // at least 1
  std::uint64_t limit;   // the largest possible number of tokens
  bool cut;              // the answer has reached its limit: finish_reason "length"
};

/// Computes the length of the answer. `drawn` is a random length, which is then limited. Refuses
/// the request if `max_model_len` has no room for the text of the prompt and one token. A
/// completion or a chat is also refused if prompt and max_tokens together do not fit; in the other
/// kinds max_tokens is then reduced.
[[nodiscard]] std::optional<refusal> plan_length(const generation_request& request,
                                                 std::uint64_t max_model_len, double drawn,
                                                 answer_length& out);

}  // namespace inferbench::simulator

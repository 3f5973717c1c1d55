// The requests of the OpenAI API: their JSON bodies, checked. Pure. Members that vLLM
// knows and this server does not (sampling, logprobs, stop words, echo) are accepted
// and ignored; those that would change the shape of the answer are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::simulator {

enum class api_kind : std::uint8_t { completion, chat };

/// Why a request cannot be served: an HTTP status and a sentence.
struct refusal {
  int status;
  std::string message;
};

struct generation_request {
  api_kind kind = api_kind::completion;
  std::string model;   // empty: the request names none
  std::string prompt;  // text, or token ids as 4 bytes each
  std::uint64_t token_bytes = 1;
  std::optional<std::uint64_t> max_tokens;
  std::uint64_t min_tokens = 0;
  bool ignore_eos = false;
  bool stream = false;
  bool include_usage = false;

  [[nodiscard]] std::uint64_t prompt_tokens() const noexcept { return prompt.size() / token_bytes; }
};

/// Reads the body of a completion or chat request into `out`, whose kind says which.
[[nodiscard]] std::optional<refusal> read_generation(std::string_view body,
                                                     generation_request& out);

/// Body of a rerank: the bytes of the query and of each document.
[[nodiscard]] std::optional<refusal> read_rerank(std::string_view body, std::size_t& query,
                                                 std::vector<std::size_t>& documents);

/// Body of /tokenize: `text` becomes the prompt, or the contents of the messages.
[[nodiscard]] std::optional<refusal> read_tokenize(std::string_view body, std::string& text);

/// Body of /detokenize: `text` becomes the bytes that the token ids stand for.
[[nodiscard]] std::optional<refusal> read_detokenize(std::string_view body, std::string& text);

/// How long the answer becomes and why it ends there.
struct answer_length {
  std::uint64_t tokens;  // at least 1
  bool cut;              // finish_reason "length", else "stop"
};

/// `drawn`: how long the answer would be by itself. A refusal where prompt and
/// max_tokens together exceed `max_model_len`.
[[nodiscard]] std::optional<refusal> plan_length(const generation_request& request,
                                                 std::uint64_t max_model_len, double drawn,
                                                 answer_length& out);

}  // namespace inferbench::simulator

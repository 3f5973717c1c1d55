// Reads and checks the JSON bodies of requests of the OpenAI API. The functions have no state.
// Members that vLLM supports and this server does not (sampling, logprobs, stop words, echo) are
// accepted and ignored. Members that would change the structure of the answer are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::simulator {

enum class api_kind : std::uint8_t { completion, chat };

/// The reason why a request is refused: an HTTP status and a sentence.
struct refusal {
  int status;
  std::string message;
};

struct generation_request {
  api_kind kind = api_kind::completion;
  std::string model;   // empty: the request does not name a model
  std::string prompt;  // text, or token ids as 4 bytes each
  std::uint64_t token_bytes = 1;
  std::optional<std::uint64_t> max_tokens;
  std::uint64_t min_tokens = 0;
  bool ignore_eos = false;
  bool stream = false;
  bool include_usage = false;

  [[nodiscard]] std::uint64_t prompt_tokens() const noexcept { return prompt.size() / token_bytes; }
};

/// Reads the body of a completion or chat request into `out`. The caller sets `out.kind` to the
/// kind of the request. Returns nullopt on success, like all functions below.
[[nodiscard]] std::optional<refusal> read_generation(std::string_view body,
                                                     generation_request& out);

/// Reads the body of a rerank request: the sizes in bytes of the query and of each document.
[[nodiscard]] std::optional<refusal> read_rerank(std::string_view body, std::size_t& query,
                                                 std::vector<std::size_t>& documents);

/// Reads the body of /tokenize. `text` becomes the prompt, or the contents of the messages.
[[nodiscard]] std::optional<refusal> read_tokenize(std::string_view body, std::string& text);

/// Reads the body of /detokenize. `text` becomes the bytes of the token ids.
[[nodiscard]] std::optional<refusal> read_detokenize(std::string_view body, std::string& text);

/// The length of an answer and the reason for its end.
struct answer_length {
  std::uint64_t tokens;  // at least 1
  bool cut;              // true: finish_reason "length"; false: "stop"
};

/// Computes the length of the answer. `drawn` is the length without limits. Refuses the request if
/// prompt and max_tokens together exceed `max_model_len`.
[[nodiscard]] std::optional<refusal> plan_length(const generation_request& request,
                                                 std::uint64_t max_model_len, double drawn,
                                                 answer_length& out);

}  // namespace inferbench::simulator

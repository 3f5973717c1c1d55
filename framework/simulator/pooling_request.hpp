// Reads and checks the bodies of requests whose answers have no generated text: embeddings,
// pooling and rerank. No state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/api.hpp"

namespace inferbench::simulator {

/// The form of the vectors in an answer: the member encoding_format.
enum class vector_form : std::uint8_t {
  numbers,    // "float": lists of numbers
  base64,     // texts
  bytes,      // the whole body; the usage is in the header field `metadata`
  bytes_only  // the whole body, without usage
};

struct pooling_request {
  api_kind kind = api_kind::embedding;
  std::string model;                // empty: the request does not name a model
  std::vector<std::string> inputs;  // texts, or token ids as 4 bytes each; for a rerank, the query
                                    // followed by a document
  std::uint64_t token_bytes = 1;
  std::vector<std::string> documents;  // only for a rerank
  std::vector<sent_medium> media;      // their contents point into the body, or are copies
  vector_form form = vector_form::numbers;
  std::uint64_t dimensions = 0;    // numbers in a vector
  std::uint64_t top = UINT64_MAX;  // largest number of results of a rerank
  bool for_plugin = false;         // the input is the member `data`, for an I/O plugin

  /// The tokens of all inputs.
  [[nodiscard]] std::uint64_t prompt_tokens() const noexcept;
};

/// The model that answers.
struct pooling_model {
  std::uint64_t max_model_len;
  std::uint64_t dimensions;  // numbers in a vector if the request does not say how many
};

/// Reads a body into `out`. The caller sets `out.kind`. An input is a text, token ids, or the
/// messages of a chat; images, videos and sounds have no tokens. Inputs are cut to
/// truncate_prompt_tokens. An input that does not fit into the model's context after that is
/// refused, and so is a request whose answer would need several hundred megabytes. Returns nullopt
/// on success.
[[nodiscard]] std::optional<refusal> read_pooling(std::string_view body, const pooling_model& model,
                                                  pooling_request& out);

}  // namespace inferbench::simulator

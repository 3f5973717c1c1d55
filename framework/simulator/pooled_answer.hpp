// Makes the bodies of answers without generated text: vectors and scores, in vLLM's layout. The
// functions have no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/event_writer.hpp"
#include "simulator/pooling_request.hpp"

namespace inferbench::simulator {

/// The content of an answer. Small, because an answer waits in this form until it is due.
struct pooled_answer {
  std::uint64_t vectors = 0;
  std::uint64_t dimensions = 0;  // of each vector
  std::uint64_t first_value = 0;
  vector_form form = vector_form::numbers;
  std::uint64_t top = 0;  // largest number of results of a rerank
  bool from_plugin = false;
  std::vector<std::string> documents;  // of a rerank
};

/// Appends the body. The values of vectors come from a fixed list, beginning with value number
/// `first_value`, and go round; each is exact in 16 bits. All documents of a rerank get the score
/// 0.5, because a simulator cannot judge relevance.
void append_pooled(std::string& out, const identity& who, const pooled_answer& what,
                   const usage& used);

/// The type of the body.
[[nodiscard]] std::string_view type_of(const pooled_answer& what) noexcept;

/// The header field `metadata` of an answer of the form `bytes`, with its CR LF. Empty for all
/// other answers.
[[nodiscard]] std::string metadata_field(const identity& who, const pooled_answer& what,
                                         const usage& used);

}  // namespace inferbench::simulator

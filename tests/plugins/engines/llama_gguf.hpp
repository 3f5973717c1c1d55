// Tiny models for the tests of llama-cpp, as GGUF files: the architecture "llama" with 2 layers, 64
// numbers wide, and a vocabulary of bytes. The same arguments give the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace llama_test {

/// Ids of tokens: a byte has its value as its id. The special tokens have no text.
inline constexpr std::uint32_t end_of_text = 256;  // also the first token of a text, not put in
inline constexpr std::uint32_t im_start = 257;     // of ChatML
inline constexpr std::uint32_t im_end = 258;       // ends the text, too
inline constexpr std::uint32_t vocabulary_size = 259;

enum class weights {
  random,  // all tensors are random
  // The layers add nothing, and each token is followed by the next larger id, with a probability of
  // nearly 1; but '.' is followed by end_of_text, the byte 255 by '/', and the largest id by 0.
  chain
};

struct tiny_model {
  weights kind = weights::random;
  std::uint64_t seed = 1;
  std::uint32_t context = 2048;  // length with which it was "trained"
  bool chat_template = true;     // ChatML
  // Tokens; those from vocabulary_size on have the texts <259>, <260>, ...
  std::uint32_t vocabulary = vocabulary_size;
};

/// Returns the whole file.
[[nodiscard]] std::string gguf_of(const tiny_model& wanted);
/// Writes the file.
void write_gguf(const std::filesystem::path& file, const tiny_model& wanted);

}  // namespace llama_test

// Writes a tiny model for libllama: llama_write_model FILE [random|chain [SEED [VOCABULARY]]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "llama_gguf.hpp"

int main(int count, char** arguments) try {
  if (count < 2 || count > 5) {
    std::fputs("usage: llama_write_model FILE [random|chain [SEED [VOCABULARY]]]\n", stderr);
    return 2;
  }
  llama_test::tiny_model wanted;
  if (count > 2 && std::string_view(arguments[2]) == "chain")
    wanted.kind = llama_test::weights::chain;
  if (count > 3) wanted.seed = std::strtoull(arguments[3], nullptr, 10);
  if (count > 4)
    wanted.vocabulary = std::max(
        wanted.vocabulary, static_cast<std::uint32_t>(std::strtoul(arguments[4], nullptr, 10)));
  llama_test::write_gguf(arguments[1], wanted);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "llama_write_model: %s\n", e.what());
  return 1;
}

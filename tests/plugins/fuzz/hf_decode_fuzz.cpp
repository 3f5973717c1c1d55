#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "plugins/fuzz/fixture_tokenizers.hpp"
#include "tokenizers/common/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tokenizers::hf::tokenizer& it = fuzz::fixture_tokenizer(data[0]);
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 1; i + 1 < size; i += 2)
    ids.push_back(static_cast<std::uint32_t>(data[i] | (data[i + 1] & 3U) << 8U));
  for (const bool skip : {false, true}) {
    const std::string text = it.decode(ids, skip);
    if (tokenizers::valid_prefix(text) != text.size()) std::abort();
  }
  return 0;
}

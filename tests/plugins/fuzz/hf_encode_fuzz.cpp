#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plugins/fuzz/fixture_tokenizers.hpp"
#include "tokenizers/common/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const tokenizers::hf::tokenizer& it = fuzz::fixture_tokenizer(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto ids = it.encode(text, true);
  const std::string back = it.decode(ids, false);
  if (tokenizers::valid_prefix(back) != back.size()) std::abort();
  return 0;
}

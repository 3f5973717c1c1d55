#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/guard.hpp>

#include "tokenizers/hf/tokenizer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tokenizers::hf::additions on_top;
    on_top.apply_limits = size % 2 == 0;
    const tokenizers::hf::tokenizer it(std::string(reinterpret_cast<const char*>(data), size),
                                       on_top);
    const auto ids =
        it.encode("The caf\xC3\xA9s <s> of  1900, \xE6\x97\xA5\xE6\x9C\xAC\n\xFF", true);
    (void)it.decode(ids, true);
    (void)it.encode_pair("a b", "NORM <R>  x", true);
  } catch (const ifb::failure&) {
    // The file was refused with a message.
  }
  return 0;
}

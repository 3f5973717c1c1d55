#include "base/base64.hpp"

#include <openssl/evp.h>

namespace inferbench::base {

std::string base64(std::string_view bytes) {
  // EVP_EncodeBlock takes an int; whole groups of three can be encoded apart.
  constexpr std::size_t step = std::size_t{3} << 20U;
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::string_view piece = bytes.substr(at, step);
    const std::size_t before = out.size();
    out.resize(before + (piece.size() + 2) / 3 * 4 + 1);  // it writes a NUL, too
    const int n = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + before),
                                  reinterpret_cast<const unsigned char*>(piece.data()),
                                  static_cast<int>(piece.size()));
    out.resize(before + static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace inferbench::base

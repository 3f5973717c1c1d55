#include "digest.hpp"

#include <array>
#include <new>

#include <openssl/evp.h>

namespace hub {

struct sha256::state {
  struct release {
    void operator()(EVP_MD_CTX* made) const noexcept { EVP_MD_CTX_free(made); }
  };
  std::unique_ptr<EVP_MD_CTX, release> context{EVP_MD_CTX_new()};
};

sha256::sha256() : state_(std::make_unique<state>()) {
  if (state_->context == nullptr ||
      EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc{};
}

sha256::~sha256() = default;

void sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

std::string sha256::finish() {
  std::array<unsigned char, 32> raw{};
  EVP_DigestFinal_ex(state_->context.get(), raw.data(), nullptr);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * raw.size());
  for (const unsigned char byte : raw) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

}  // namespace hub

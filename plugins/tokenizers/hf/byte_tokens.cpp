#include "byte_tokens.hpp"

#include <string>

namespace tokenizers::hf {

byte_tokens::byte_tokens(const vocabulary& from) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string token = "<0x00>";
  for (std::size_t byte = 0; byte < ids_.size(); ++byte) {
    token[3] = digits[byte / 16];
    token[4] = digits[byte % 16];
    ids_[byte] = from.id_of(token);
  }
}

bool byte_tokens::append(std::string_view text, std::vector<std::uint32_t>& ids) const {
  const std::size_t before = ids.size();
  for (const char c : text) {
    const auto id = ids_[static_cast<unsigned char>(c)];
    if (!id) {
      ids.resize(before);
      return false;
    }
    ids.push_back(*id);
  }
  return true;
}

}  // namespace tokenizers::hf

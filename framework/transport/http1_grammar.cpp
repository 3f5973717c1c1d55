#include "transport/http1_grammar.hpp"

#include <array>
#include <cstddef>

namespace inferbench::transport {

namespace {

constexpr auto token_bytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = '0'; c <= '9'; ++c)
    table[c] = true;
  for (std::size_t c = 'a'; c <= 'z'; ++c)
    table[c] = true;
  for (std::size_t c = 'A'; c <= 'Z'; ++c)
    table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

}  // namespace

bool valid_token(std::string_view text) noexcept {
  for (const char c : text)
    if (!token_bytes[static_cast<unsigned char>(c)]) return false;
  return !text.empty();
}

bool valid_value(std::string_view text) noexcept {
  // Without an early end, so that the compiler can look at many bytes at once.
  bool bad = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bad |= (byte < 0x20 && byte != '\t') || byte == 0x7F;
  }
  return !bad;
}

}  // namespace inferbench::transport

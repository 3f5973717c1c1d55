#include "transport/http1_grammar.hpp"

#include <array>
#include <cstddef>

namespace inferbench::transport {

namespace {

constexpr auto value_bytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = (c >= 0x20 && c != 0x7F) || c == '\t';
  return table;
}();

}  // namespace

// A loop over single bytes is sufficient: the values that are checked for each request are ids of
// about ten bytes.
bool valid_value(std::string_view text) noexcept {
  for (const char c : text)
    if (!value_bytes[static_cast<unsigned char>(c)]) return false;
  return true;
}

std::string_view without_blanks(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace inferbench::transport

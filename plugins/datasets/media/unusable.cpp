#include "unusable.hpp"

#include <inferbench/text.hpp>

namespace row_media {

namespace {

// A reason ends at "; " (abi.h), and a message is one line.
std::string as_clause(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    if (c < 0x20 || c == 0x7F) out[i] = '?';
    if (c == ';' && i + 1 < out.size() && out[i + 1] == ' ') out[i] = ',';
  }
  return out;
}

}  // namespace

unusable::unusable(std::string_view text) : std::runtime_error(as_clause(text)) {}

std::string shown(std::string_view name) {
  constexpr std::size_t enough = 300;
  const std::string_view begin = ifb::cut_utf8(name, enough);
  return std::string(begin) + (begin.size() < name.size() ? "..." : "");
}

}  // namespace row_media

#include "whole_characters.hpp"

#include <inferbench/text.hpp>

namespace llama_cpp {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Whether more bytes could make a character of `text`, which is not one.
bool may_continue(std::string_view text, std::size_t length) {
  if (length != text.size()) return false;
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  return lead >= 0xC2 && lead <= 0xF4 && length < wanted;
}

}  // namespace

void whole_characters::take(std::string_view bytes, bool last, std::string& out) {
  waiting_ += bytes;
  std::string_view left = waiting_;
  while (!left.empty()) {
    const auto [length, good] = ifb::utf8_sequence(left);
    if (!good && !last && may_continue(left, length)) break;
    out += good ? left.substr(0, length) : replacement;
    left.remove_prefix(length);
  }
  waiting_ = std::string(left);
}

}  // namespace llama_cpp

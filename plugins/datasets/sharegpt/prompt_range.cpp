#include "prompt_range.hpp"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>

#include <inferbench/guard.hpp>

namespace sharegpt {

namespace {

std::optional<std::int64_t> limit_of(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size() || out < 0) return std::nullopt;
  return out;
}

}  // namespace

prompt_range prompt_range::parse(std::string_view text, const char* option) {
  constexpr std::size_t longest_shown = 80;
  const std::string shown = "\"" + std::string(text.substr(0, longest_shown)) + "\" ";
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto least = limit_of(text.substr(0, colon));
    const auto most = limit_of(text.substr(colon + 1));
    if (least && most && *least <= *most) return {*least, *most};
    if (least && most)
      throw ifb::failure(IFB_E_CONFIG, shown + "has a minimum above its maximum", option);
  }
  throw ifb::failure(IFB_E_CONFIG, shown + "is not a range of lengths such as 128:256", option);
}

}  // namespace sharegpt

#include "names.hpp"

#include <algorithm>
#include <array>

namespace hub {

namespace {

constexpr std::size_t longest_name = 96;  // the hub's own limit
// leaves room for ".incomplete" in a file name of 255 bytes
constexpr std::size_t longest_part = 240;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_name_of_hub(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && is_word(text.front()) &&
         is_word(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == '-' || c == '.'; });
}

}  // namespace

bool is_repository_id(std::string_view text) {
  if (text.find("--") != text.npos || text.find("..") != text.npos || text.ends_with(".git"))
    return false;
  const auto slash = text.find('/');
  if (slash == text.npos) return is_name_of_hub(text);
  return is_name_of_hub(text.substr(0, slash)) && is_name_of_hub(text.substr(slash + 1));
}

bool is_inside_path(std::string_view text) {
  if (text.empty() || text.find('\\') != text.npos) return false;
  for (std::size_t from = 0; from <= text.size();) {
    const auto slash = std::min(text.find('/', from), text.size());
    const std::string_view part = text.substr(from, slash - from);
    if (part.empty() || part.size() > longest_part || part == "." || part == ".." ||
        std::ranges::any_of(part, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
      return false;
    from = slash + 1;
  }
  return true;
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_part && text.front() != '.' &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == '-' || c == '.'; });
}

bool is_commit_hash(std::string_view text) {
  return text.size() == 40 && std::ranges::all_of(text, is_hexadecimal);
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && std::ranges::all_of(text, is_hexadecimal);
}

std::string cache_folder_name(repository_type type, std::string_view id) {
  std::string out = type == repository_type::model ? "models--" : "datasets--";
  for (const char c : id) {
    if (c == '/')
      out += "--";
    else
      out += c;
  }
  return out;
}

}  // namespace hub

#include "perf/compare_names.hpp"

#include <algorithm>
#include <cstddef>

#include <inferbench/text.hpp>

namespace inferbench::perf {

namespace {

/// Excel allows at most 31 characters in the name of a sheet.
constexpr std::size_t longest_sheet = 31;
/// File systems allow 255 bytes; a number, ".html" and a temporary ending follow.
constexpr std::size_t longest_stem = 200;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

std::size_t characters_in(std::string_view text) {
  std::size_t out = 0;
  for (; !text.empty(); ++out)
    text.remove_prefix(ifb::utf8_sequence(text).first);
  return out;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  for (; most > 0 && end < text.size(); --most)
    end += ifb::utf8_sequence(text.substr(end)).first;
  return text.substr(0, end);
}

/// "_2" and so on; no text for the first name.
std::string ending_of(std::size_t number) {
  return number == 1 ? std::string() : "_" + std::to_string(number);
}

std::string sheet_of(const compared_frame& frame, std::span<const compared_cell> group,
                     std::size_t room) {
  const auto text = [&](std::string_view title) {
    const auto place = frame.place_of(title);
    return place && *place < group.size() ? text_of_cell(group[*place]) : std::string("nan");
  };
  std::string model = text("Model");
  if (const std::size_t slash = model.find_last_of('/'); slash != std::string::npos)
    model.erase(0, slash + 1);
  const std::string lengths = "_" + text("Input Len") + "x" + text("Output Len");
  const std::size_t used = std::min(room, characters_in(lengths));
  std::string out(first_characters(model, room - used));
  out += first_characters(lengths, room);
  for (char& c : out)
    if (std::string_view(":\\/?*[]").find(c) != std::string_view::npos) c = '_';
  return out;
}

}  // namespace

std::string plain_name(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = ifb::utf8_sequence(text).first;
    out += length == 1 && is_plain(text.front()) ? text.front() : '_';
    text.remove_prefix(length);
  }
  return out;
}

std::string group_page_name(std::span<const compared_cell> group, std::set<std::string>& taken) {
  std::string stem = "perf_comparison";
  for (const compared_cell& cell : group)
    stem += "_" + text_of_cell(cell);
  if (group.empty()) stem += "_all";
  for (char& c : stem) {
    const auto code = static_cast<unsigned char>(c);
    if (c == ',' || code < 0x20 || code == 0x7F) c = '_';
    if (c == '/') c = '-';
  }
  stem = ifb::cut_utf8(stem, longest_stem);
  for (std::size_t number = 1;; ++number) {
    std::string out = stem + ending_of(number) + ".html";
    if (taken.insert(out).second) return out;
  }
}

std::string sheet_name(const compared_frame& frame, std::span<const compared_cell> group,
                       std::set<std::string>& taken) {
  for (std::size_t number = 1;; ++number) {
    const std::string ending = ending_of(number);
    std::string out = sheet_of(frame, group, longest_sheet - ending.size()) + ending;
    if (taken.insert(plain_name(out)).second) return out;
  }
}

}  // namespace inferbench::perf

#include "body.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include <inferbench/text.hpp>

namespace bodies {
namespace {

// For pieces with fewer bytes, memcpy is cheaper than one more element for writev.
constexpr std::size_t worth_referring = 512;
constexpr std::size_t block = 1024;

}  // namespace

char* gather_list::append(std::size_t size) {
  if (size > room_) {
    room_ = std::max(size, block);
    free_ = static_cast<char*>(memory_.allocate(room_));
    growing_ = false;
  }
  char* const at = free_;
  if (growing_) {
    parts_.back().size += size;
  } else {
    parts_.push_back({at, size});
    growing_ = true;
  }
  free_ += size;
  room_ -= size;
  return at;
}

void gather_list::copy(std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(append(bytes.size()), bytes.data(), bytes.size());
}

void gather_list::refer(std::string_view bytes) {
  if (bytes.size() < worth_referring) return copy(bytes);
  parts_.push_back(ifb::bytes(bytes));
  growing_ = false;
}

void gather_list::number(std::int64_t value) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  copy({text.data(), static_cast<std::size_t>(end - text.data())});
}

void gather_list::quote(std::string_view text) {
  const auto [size, unchanged] = measure(text);
  if (unchanged) {
    copy("\"");
    refer(text);
    copy("\"");
    return;
  }
  char* out = append(size + 2);
  *out++ = '"';
  out = write_escaped(out, text);
  *out = '"';
}

void gather_list::base64(std::string_view bytes) {
  if (!bytes.empty()) ifb::write_base64(append(ifb::base64_size(bytes.size())), bytes);
}

void body_layout::set(entry made) {
  const auto same = std::ranges::find(entries_, made.key, &entry::key);
  if (same == entries_.end())
    entries_.push_back(std::move(made));
  else
    *same = std::move(made);
}

void body_layout::set(std::string_view key, std::string json) {
  set(entry{std::string(key), std::move(json), slot::none});
}

void body_layout::set(std::string_view key, slot filled_per_request) {
  set(entry{std::string(key), {}, filled_per_request});
}

void body_layout::overlay(std::span<const member> members) {
  for (const auto& m : members)
    set(m.key, m.value);
}

std::string_view body_layout::find(std::string_view key) const noexcept {
  const auto same = std::ranges::find(entries_, key, &entry::key);
  return same == entries_.end() ? std::string_view{} : std::string_view(same->json);
}

std::vector<body_layout::piece> body_layout::pieces(bool limited) const {
  std::vector<piece> out;
  std::string text;
  char before = '{';
  for (const auto& e : entries_) {
    if (e.kind == slot::limit && !limited) continue;
    text += std::exchange(before, ',') + quoted(e.key) + ':' + e.json;
    if (e.kind == slot::none) continue;
    out.push_back({std::move(text), e.kind});
    text.clear();
  }
  out.push_back({text + (before == '{' ? "{}" : "}"), slot::none});
  return out;
}

void body_layout::close() {
  limited_ = pieces(true);
  unlimited_ = pieces(false);
  streams_ = find("stream") == "true";
}

}  // namespace bodies

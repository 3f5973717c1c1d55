#include "document.hpp"

#include <algorithm>

namespace reporters {

document::member& document::place(std::string_view name) {
  auto at = std::ranges::find(members_, name, &member::name);
  if (at == members_.end()) at = members_.insert(at, member{});
  *at = {std::string(name), {}, 0, {}};
  return *at;
}

void document::set(std::string_view name, std::string_view text) {
  ifb::append_json_string(place(name).json, text);
}

void document::set(std::string_view name, double value) {
  ifb::json_writer writer;
  writer.number(value);
  place(name).json = writer.take();
}

void document::set(std::string_view name, std::int64_t value) {
  place(name).json = std::to_string(value);
}

void document::set_array(std::string_view name, std::size_t count,
                         std::function<void(std::size_t, std::string&)> element) {
  member& m = place(name);
  m.count = count;
  m.element = std::move(element);
}

std::string_view document::json(std::string_view name) const {
  const auto at = std::ranges::find(members_, name, &member::name);
  return at == members_.end() ? std::string_view() : std::string_view(at->json);
}

void document::write(const sink& out) const {
  constexpr std::size_t piece = 1U << 16U;
  std::string text = "{";
  bool first = true;
  for (const member& m : members_) {
    if (!first) text += ", ";
    first = false;
    ifb::append_json_string(text, m.name);
    text += ": ";
    if (!m.element) {
      text += m.json;
      continue;
    }
    text += '[';
    for (std::size_t i = 0; i < m.count; ++i) {
      if (i > 0) text += ", ";
      m.element(i, text);
      if (text.size() < piece) continue;
      out(text);
      text.clear();
    }
    text += ']';
  }
  out(text + "}");
}

}  // namespace reporters

#include "pattern.hpp"

#include <inferbench/guard.hpp>

namespace tokenizers::hf {

pattern::pattern(const node& from) {
  if (const auto text = from.find("String")) {
    literal_ = std::string(text->text());
    return;
  }
  const auto expression = from.find("Regex");
  if (!expression) from.fail("expected {\"String\": \"...\"} or {\"Regex\": \"...\"}");
  try {
    regex_.emplace(expression->text());
  } catch (const ifb::failure& e) {
    expression->fail(e.message());
  }
}

std::optional<pattern::match> pattern::find(std::string_view text, std::size_t from) const {
  if (regex_) return regex_->find(text, from);
  const auto at = text.find(*literal_, from);
  if (at == std::string_view::npos) return std::nullopt;
  return match{at, at + literal_->size()};
}

}  // namespace tokenizers::hf

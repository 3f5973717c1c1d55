#include "upstream_rule.hpp"

#include <string>

#include "scorers/common/json_text.hpp"

namespace scorers {

bool upstream_accepts(std::string_view answer) {
  const std::size_t first = answer.find('{');
  const std::size_t last = answer.rfind('}');
  if (first == std::string_view::npos || last == std::string_view::npos || last < first)
    return false;
  std::string span;
  for (const char c : answer.substr(first, last - first + 1))
    if (c != '\n' && c != ' ') span += c;
  return measure_json(span, json_dialect::python).has_value();
}

}  // namespace scorers

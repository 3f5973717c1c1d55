#include "lines.hpp"

#include <cmath>

#include "reporters/common/clean_text.hpp"

namespace reporters {

void csv_lines::begin_cell() {
  if (!first_) out_ += ',';
  first_ = false;
}

void csv_lines::quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out_ += text;
    return;
  }
  out_ += '"';
  for (const char c : text) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
}

void csv_lines::name(std::string_view text) {
  begin_cell();
  quoted(text);
}

void csv_lines::text(std::string_view text) {
  begin_cell();
  std::string clean = clean_text(text);
  // OWASP, "CSV Injection": a spreadsheet takes a cell that begins with one of these characters for
  // a formula, also if the cell is in quotes.
  constexpr std::string_view formula = "=+-@\t\r";
  if (!clean.empty() && formula.find(clean.front()) != std::string_view::npos)
    clean.insert(clean.begin(), '\'');
  quoted(clean);
}

void csv_lines::number(std::int64_t value) {
  begin_cell();
  out_ += std::to_string(value);
}

void csv_lines::number(double value) {
  begin_cell();
  if (!std::isnan(value)) append_number(out_, value);
}

void csv_lines::ms(std::optional<std::int64_t> ns) {
  begin_cell();
  if (ns) append_ms(out_, *ns);
}

void csv_lines::end_line() {
  out_ += '\n';
  first_ = true;
}

}  // namespace reporters

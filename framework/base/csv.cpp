#include "base/csv.hpp"

#include <cstddef>

namespace inferbench::base {

void put_csv_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text)
    out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

std::string csv_line(std::span<const std::string> fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    put_csv_field(out, fields[i]);
  }
  out += '\n';
  return out;
}

}  // namespace inferbench::base

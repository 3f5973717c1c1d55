#include "exposition.hpp"

#include <cmath>

#include "reporters/common/clean_text.hpp"

namespace reporters {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (const char c : clean_text(text)) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '"' && quotes)
      out += "\\\"";
    else
      out += c;
  }
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += ',';
  out.append(name).append("=\"");
  append_escaped(out, value, true);
  out += '"';
}

void append_value(std::string& out, double value) {
  if (std::isnan(value))
    out += "NaN";
  else if (std::isinf(value))
    out += value > 0 ? "+Inf" : "-Inf";
  else
    append_number(out, value);
}

}  // namespace

exposition::exposition(const prometheus_labels& common) {
  for (const auto& [name, value] : common)
    append_label(common_, name, value);
}

void exposition::metric(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  out_.append("# HELP ").append(name).append(" ");
  append_escaped(out_, help, false);
  out_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void exposition::sample(std::string_view ending, const prometheus_labels& own, double value) {
  std::string labels = common_;
  for (const auto& [name, text] : own)
    append_label(labels, name, text);
  out_.append(name_).append(ending);
  if (!labels.empty()) out_.append("{").append(labels).append("}");
  out_ += ' ';
  append_value(out_, value);
  out_ += '\n';
}

std::string metric_name(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || is_digit(out.front())) out.insert(out.begin(), '_');
  return out;
}

}  // namespace reporters

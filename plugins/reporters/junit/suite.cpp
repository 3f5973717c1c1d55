#include "suite.hpp"

#include <algorithm>
#include <cstdio>

#include <inferbench/text.hpp>

#include "reporters/common/clean_text.hpp"

namespace reporters {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// XML 1.0 does not allow U+FFFE and U+FFFF, which are valid UTF-8.
bool is_no_character(std::string_view sequence) {
  return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&apos;"; break;
    // A reader of an attribute would make blanks of these characters.
    case '\t': out += "&#9;"; break;
    case '\n': out += "&#10;"; break;
    case '\r': out += "&#13;"; break;
    default:
      if (static_cast<unsigned char>(c) < 0x20)
        out += replacement;
      else
        out += c;
  }
}

void attribute(std::string& out, std::string_view name, std::string_view value) {
  out.append(" ").append(name).append("=\"").append(xml_text(value)).append("\"");
}

std::string seconds_text(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

void add_case(std::string& out, const junit_case& of) {
  out += "    <testcase";
  attribute(out, "classname", "inferbench." + of.group);
  attribute(out, "name", of.name);
  attribute(out, "time", "0");
  if (of.outcome == case_outcome::passed && of.details.empty()) {
    out += "/>\n";
    return;
  }
  out += ">\n";
  if (of.outcome == case_outcome::passed) {
    out += "      <system-out>" + xml_text(of.details) + "</system-out>\n";
  } else {
    const char* element = of.outcome == case_outcome::failed  ? "failure"
                          : of.outcome == case_outcome::error ? "error"
                                                              : "skipped";
    out.append("      <").append(element);
    if (of.outcome != case_outcome::skipped) attribute(out, "type", of.type);
    attribute(out, "message", of.message);
    if (of.details.empty())
      out += "/>\n";
    else
      out.append(">").append(xml_text(of.details)).append("</").append(element).append(">\n");
  }
  out += "    </testcase>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [length, good] = ifb::utf8_sequence(text);
    const std::string_view sequence = text.substr(0, length);
    if (!good || is_no_character(sequence))
      out += replacement;
    else if (length == 1)
      append_escaped(out, sequence[0]);
    else
      out += sequence;
    text.remove_prefix(length);
  }
  return out;
}

std::string to_xml(const junit_suite& suite) {
  const auto number_of = [&](case_outcome outcome) {
    return std::to_string(std::ranges::count(suite.cases, outcome, &junit_case::outcome));
  };
  const auto counts = [&](std::string& out) {
    attribute(out, "tests", std::to_string(suite.cases.size()));
    attribute(out, "failures", number_of(case_outcome::failed));
    attribute(out, "errors", number_of(case_outcome::error));
    attribute(out, "skipped", number_of(case_outcome::skipped));
    attribute(out, "time", seconds_text(suite.seconds));
  };
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
  attribute(out, "name", "inferbench");
  counts(out);
  out += ">\n  <testsuite";
  attribute(out, "name", suite.name);
  counts(out);
  // The schema of Surefire has no fraction and no time zone; the time is UTC.
  attribute(out, "timestamp", utc_text(suite.started_unix_ns).substr(0, 19));
  attribute(out, "hostname", suite.host);
  out += ">\n    <properties>\n";
  for (const auto& [name, value] : suite.properties) {
    out += "      <property";
    attribute(out, "name", name);
    attribute(out, "value", value);
    out += "/>\n";
  }
  out += "    </properties>\n";
  for (const junit_case& each : suite.cases)
    add_case(out, each);
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace reporters

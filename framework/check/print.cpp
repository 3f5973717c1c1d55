#include "check/print.hpp"

#include <map>
#include <ranges>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "plugin/descriptor.hpp"

namespace inferbench::check {

namespace {

constexpr verdict all_verdicts[] = {verdict::passed, verdict::warned, verdict::failed,
                                    verdict::crashed, verdict::skipped};

// The text for elements and attributes of XML. Characters that XML cannot hold become blanks.
std::string escaped_xml(std::string_view text) {
  std::string out;
  for (const char c : base::valid_utf8(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return out;
}

// The text for a terminal: the control characters of a plugin's text are escaped.
std::string for_terminal(std::string_view text) {
  std::string out;
  for (const char c : base::valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out;
}

double seconds(const outcome& o) { return std::chrono::duration<double>(o.took).count(); }

std::string case_of(const result& r) {
  const outcome& o = r.said;
  std::string inside;
  std::string beside;
  for (const finding& f : o.findings) {
    const std::string text = f.what + (f.remedy.empty() ? "" : "; " + f.remedy);
    if (!f.failure) {
      beside += "warning: " + text + "\n";
      continue;
    }
    const char* const kind = o.said == verdict::crashed ? "error" : "failure";
    inside += fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", kind, escaped_xml(f.what),
                          escaped_xml(text));
  }
  if (o.said == verdict::skipped)
    inside += fmt::format("      <skipped message=\"{}\"/>\n", escaped_xml(o.skipped));
  for (const std::string& note : o.notes)
    beside += note + "\n";
  if (!beside.empty()) inside += "      <system-out>" + escaped_xml(beside) + "</system-out>\n";
  const std::string open =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                  escaped_xml(r.plugin()), escaped_xml(r.what->name), seconds(o));
  return inside.empty() ? open + "/>\n" : open + ">\n" + inside + "    </testcase>\n";
}

}  // namespace

std::string to_text(const result& r, bool begins) {
  const outcome& o = r.said;
  std::string out;
  if (begins) out += for_terminal(r.plugin() + (r.version.empty() ? "" : " " + r.version)) + "\n";
  std::string line =
      fmt::format("  {:<7}  {:<18} {}", name_of(o.said), r.what->name,
                  o.said == verdict::skipped ? for_terminal(o.skipped) : r.what->sentence);
  for (const std::string& note : o.notes)
    line += (&note == &o.notes.front() ? ": " : ", ") + for_terminal(note);
  out += line + "\n";
  for (const finding& f : o.findings) {
    out += fmt::format("           {}{}\n", f.failure ? "" : "warning: ", for_terminal(f.what));
    if (!f.remedy.empty()) out += fmt::format("           -> {}\n", for_terminal(f.remedy));
  }
  return out;
}

std::string totals_of(const report& r) {
  const auto total = [&](verdict v) { return fmt::format("{} {}", r.count(v), name_of(v)); };
  return fmt::format("{}", fmt::join(all_verdicts | std::views::transform(total), ", "));
}

std::string to_json(const report& r) {
  ifb::json_writer json;
  json.begin_object();
  json.member("file", base::valid_utf8(r.file.string()));
  json.member("sha256", r.sha256);
  json.member("host", INFERBENCH_VERSION);
  json.member("abi", plugin::abi_of_host());
  for (const verdict v : all_verdicts)
    json.member(name_of(v), r.count(v));
  json.key("tests");
  json.begin_array();
  for (const result& each : r.results) {
    const outcome& o = each.said;
    json.begin_object();
    json.member("plugin", each.plugin());
    json.member("version", base::valid_utf8(each.version));
    json.member("test", each.what->name);
    json.member("sentence", each.what->sentence);
    json.member("verdict", name_of(o.said));
    json.key("findings");
    json.begin_array();
    for (const finding& f : o.findings) {
      json.begin_object();
      json.member("severity", f.failure ? "failure" : "warning");
      json.member("what", base::valid_utf8(f.what));
      json.member("remedy", f.remedy);
      json.end_object();
    }
    json.end_array();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : o.notes)
      json.string(base::valid_utf8(note));
    json.end_array();
    json.member("skipped", base::valid_utf8(o.skipped));
    json.member("seconds", seconds(o));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

std::string to_junit(const report& r) {
  struct suite {
    std::string cases;
    std::map<verdict, std::size_t> counts;
    std::size_t tests = 0;
    double time = 0;
  };
  std::vector<std::pair<std::string, suite>> suites;
  for (const result& each : r.results) {
    if (suites.empty() || suites.back().first != each.plugin())
      suites.emplace_back(each.plugin(), suite{});
    suite& in = suites.back().second;
    in.cases += case_of(each);
    ++in.counts[each.said.said];
    ++in.tests;
    in.time += seconds(each.said);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" +
                    escaped_xml(r.file.filename().string()) + "\">\n";
  for (auto& [name, in] : suites)
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n",
        escaped_xml(name), in.tests, in.counts[verdict::failed], in.counts[verdict::crashed],
        in.counts[verdict::skipped], in.time, in.cases);
  return out + "</testsuites>\n";
}

std::string list_of_tests() {
  std::string out;
  for (const test& t : tests())
    out += fmt::format("{:<18} {}\n", t.name, t.sentence);
  return out;
}

}  // namespace inferbench::check

#include "check/outcome.hpp"

#include <algorithm>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace inferbench::check {

std::string_view name_of(verdict v) {
  switch (v) {
    case verdict::passed: return "passed";
    case verdict::warned: return "warned";
    case verdict::failed: return "failed";
    case verdict::crashed: return "crashed";
    case verdict::skipped: return "skipped";
  }
  return "";
}

finding reserved_is_set(const std::string& in, std::uint32_t value) {
  return {
      true, "`reserved` in " + in + " is " + std::to_string(value) + " instead of 0",
      "write 0 to `reserved` (rule R10 in abi.h): a later version of abi.h may give the member a "
      "meaning"};
}

void settle(outcome& out) {
  if (out.said == verdict::crashed) return;
  if (std::ranges::any_of(out.findings, &finding::failure))
    out.said = verdict::failed;
  else if (!out.findings.empty())
    out.said = verdict::warned;
  else
    out.said = out.skipped.empty() ? verdict::passed : verdict::skipped;
}

std::string to_json(const outcome& out) {
  ifb::json_writer json;
  json.begin_object();
  json.key("findings");
  json.begin_array();
  for (const finding& f : out.findings) {
    json.begin_object();
    json.member("failure", f.failure);
    json.member("what", base::valid_utf8(f.what));
    json.member("remedy", f.remedy);
    json.end_object();
  }
  json.end_array();
  json.key("notes");
  json.begin_array();
  for (const std::string& note : out.notes)
    json.string(base::valid_utf8(note));
  json.end_array();
  json.member("skipped", base::valid_utf8(out.skipped));
  json.end_object();
  return json.take();
}

std::optional<outcome> from_json(const std::string& text) {
  rapidjson::Document document;
  try {
    document = base::parse_json(text, "the child");
  } catch (const base::error&) {
    return {};
  }
  const base::json_value* const findings = base::find(document, "findings");
  const base::json_value* const notes = base::find(document, "notes");
  if (findings == nullptr || !findings->IsArray() || notes == nullptr || !notes->IsArray())
    return {};
  outcome out;
  for (const auto& from : findings->GetArray()) {
    const base::json_value* const failure = base::find(from, "failure");
    out.findings.push_back({failure == nullptr || failure->IsTrue(),
                            std::string(base::text_of(base::find(from, "what"))),
                            std::string(base::text_of(base::find(from, "remedy")))});
  }
  for (const auto& note : notes->GetArray())
    out.notes.emplace_back(base::text_of(&note));
  out.skipped = base::text_of(base::find(document, "skipped"));
  settle(out);
  return out;
}

}  // namespace inferbench::check

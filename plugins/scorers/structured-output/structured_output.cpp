#include "structured_output.hpp"

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "scorers/common/json_text.hpp"
#include "scorers/common/json_tree.hpp"
#include "upstream_rule.hpp"

namespace scorers {
namespace {

using ifb::draft::attribute;
using ifb::draft::score_result;

choice_list read_choices(std::string_view text) {
  choice_list out;
  json_tree tree;
  if (tree.read(text) != tree_outcome::read || !tree.root().IsArray()) return out;
  for (const auto& each : tree.root().GetArray()) {
    if (!each.IsString()) return {};
    out.texts.emplace(ifb::text_of(&each));
  }
  out.usable = true;
  return out;
}

}  // namespace

structured_output::structured_output(ifb::host host, const options& chosen)
    : chosen_(chosen), warning_(host) {}

score_result structured_output::score(const ifb_record& of) {
  const std::string_view type = attribute(of, IFB_STRUCTURE).value_or("");
  if (type != "json" && type != "regex" && type != "choice") return score_result::none();
  const std::string_view answer = ifb::view(of.text);
  if (type == "json") return score_json(of, answer);
  const auto wanted = attribute(of, IFB_STRUCTURE_SCHEMA);
  if (!wanted) return unscored("a request has no " IFB_STRUCTURE_SCHEMA);
  return type == "regex" ? score_regex(*wanted, answer) : score_choice(*wanted, answer);
}

// The data set comes before the answer: an answer without JSON would be wrong under every schema,
// but if a schema cannot be used, only the wrong answers would have a score.

score_result structured_output::score_json(const ifb_record& of, std::string_view answer) {
  const bool empty = ifb::trim(answer).empty();
  if (chosen_.correctness == rule::upstream || attribute(of, IFB_STRUCTURED) == "false") {
    if (empty) return score_result::wrong("no answer");
    const bool good = chosen_.correctness == rule::upstream ? upstream_accepts(answer)
                                                            : find_json(answer).has_value();
    return good ? score_result::right() : score_result::wrong("no JSON");
  }
  return score_constrained(of, empty ? std::string_view() : answer);
}

score_result structured_output::score_constrained(const ifb_record& of, std::string_view answer) {
  const std::string_view text = attribute(of, IFB_STRUCTURE_SCHEMA).value_or("");
  const schema* wanted = nullptr;
  if (!text.empty()) {
    wanted = &schemas_.get(
        text, [](std::string_view t) { return scorers::schema(t, type_names::json_schema); });
    if (!wanted->usable()) return unscored("a schema cannot be used: " + wanted->problem());
  }
  json_tree right;
  const auto expected = attribute(of, IFB_EXPECTED);
  if (expected) {
    const auto value = find_json(*expected);
    if (!value || right.read(*value) != tree_outcome::read)
      return unscored("an expected value of the data set is no JSON");
  }
  if (answer.empty()) return score_result::wrong("no answer");
  const auto json = find_json(answer);
  if (!json) return score_result::wrong("no JSON");
  if (wanted == nullptr && !expected) return score_result::right();
  json_tree found;
  if (found.read(*json) != tree_outcome::read)
    return unscored("an answer is too large to check against a schema");
  switch (wanted == nullptr ? schema_verdict::valid : wanted->check(found)) {
    case schema_verdict::valid: break;
    case schema_verdict::invalid: return score_result::wrong("not the schema");
    case schema_verdict::unknown:
      return unscored("a check of an answer against its schema would take too long");
  }
  if (!expected) return score_result::right();
  return same(found, right) ? score_result::right() : score_result::wrong("not the expected value");
}

score_result structured_output::score_regex(std::string_view text, std::string_view answer) {
  const auto& wanted = patterns_.get(text, [](std::string_view t) { return pattern(t); });
  if (!wanted.usable()) return unscored("RE2 cannot use a pattern: " + wanted.problem());
  if (ifb::trim(answer).empty()) return score_result::wrong("no answer");
  return wanted.starts(answer) ? score_result::right() : score_result::wrong("no match");
}

score_result structured_output::score_choice(std::string_view text, std::string_view answer) {
  const auto& wanted = choices_.get(text, read_choices);
  if (!wanted.usable) return unscored("the choices of a request are no JSON list of texts");
  if (ifb::trim(answer).empty()) return score_result::wrong("no answer");
  return wanted.texts.contains(std::string(answer)) ? score_result::right()
                                                    : score_result::wrong("none of the choices");
}

// No fault of the answer: a score of 0 would say that the server was wrong.
score_result structured_output::unscored(const std::string& why) {
  warning_.give(why + "; such answers have no score");
  return score_result::none();
}

}  // namespace scorers

#include "check/scorer_answers.hpp"

#include <cstddef>

#include "base/clock.hpp"

namespace inferbench::check {

namespace {

constexpr const char* schema =
    R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]})";
constexpr const char* tools =
    R"([{"type":"function","function":{"name":"f","parameters":{"type":"object",)"
    R"("properties":{"a":{"type":"integer"}},"required":["a"]}}}])";
// More levels than any reader needs.
constexpr std::size_t deep = 100'000;
constexpr std::size_t long_text = 1U << 20U;

std::vector<scorer_answer> make_answers() {
  const std::vector<scorer_answer::field> json{
      {IFB_STRUCTURE, "json"}, {IFB_STRUCTURE_SCHEMA, schema}, {IFB_STRUCTURED, "true"}};
  const std::vector<scorer_answer::field> expected{{IFB_EXPECTED, "yes"}};
  const std::vector<scorer_answer::field> expected_number{{IFB_EXPECTED, "42"}};
  const auto structured = [](const char* type, const char* with) {
    return std::vector<scorer_answer::field>{
        {IFB_STRUCTURE, type}, {IFB_STRUCTURE_SCHEMA, with}, {IFB_STRUCTURED, "true"}};
  };
  return {
      {"no attributes", "yes", {}},
      {"the expected text", "yes", expected},
      {"another text", "no", expected},
      {"no text", "", expected},
      {"the expected number", "The answer is 42.", expected_number},
      {"another number", "The answer is 41.", expected_number},
      {"no number", "The answer is a number.", expected_number},
      {"JSON that fits the schema", R"({"a": 1})", json},
      {"JSON that does not fit", R"({"b": 1})", json},
      {"JSON that is cut", R"({"a": )", json},
      {"JSON in a fence", "```json\n{\"a\": 1}\n```", json},
      {"a nesting of many levels", std::string(deep, '['), json},
      {"a long text", std::string(long_text, 'a'), json},
      {"a text that is not UTF-8", "\xff\xfe{\"a\": 1}", json},
      {"a text with a zero byte", std::string("{\"a\"\0: 1}", 9), json},
      {"a schema that is no JSON", R"({"a": 1})", structured("json", "{")},
      {"a schema of another server", R"({"a": 1})",
       structured("json", R"({"$ref":"http://127.0.0.1:1/schema.json"})")},
      {"a schema that refers to itself", R"({"a": 1})", structured("json", R"({"$ref":"#"})")},
      {"a pattern", "x@y.com\n", structured("regex", R"(\w+@\w+\.com\n)")},
      {"a pattern that is none", "x", structured("regex", "(")},
      {"a pattern that is slow elsewhere", std::string(5000, 'a') + "b",
       structured("regex", "(a+)+$")},
      {"a choice", "yes", structured("choice", R"(["yes","no"])")},
      {"choices that are none", "yes", structured("choice", "yes")},
      {"a grammar", "SELECT", structured("grammar", "root ::= \"SELECT\"")},
      {"a structure of the future", "x", structured("future", "x")},
      {"a tool call",
       "",
       {{IFB_TOOLS, tools}, {IFB_TOOL_CALLS, R"([{"name":"f","arguments":"{\"a\": 1}"}])"}}},
      {"a call of an unknown tool",
       "",
       {{IFB_TOOLS, tools}, {IFB_TOOL_CALLS, R"([{"name":"g","arguments":"{}"}])"}}},
      {"a tool call that is cut", "", {{IFB_TOOLS, tools}, {IFB_TOOL_CALLS, "[{"}}},
      {"tools that are none", "", {{IFB_TOOLS, "7"}, {IFB_TOOL_CALLS, "[]"}}},
  };
}

}  // namespace

std::span<const scorer_answer> scorer_answers() {
  static const std::vector<scorer_answer> all = make_answers();
  return all;
}

ifb_record* lend_answer(lent_memory& memory, const scorer_answer& what) {
  constexpr std::uint64_t began = 1'000 * base::ns_per_s;
  ifb_record r{};
  r.http_status = 200;
  r.due_ns = r.start_ns = r.connected_ns = r.sent_ns = began;
  r.first_byte_ns = r.first_token_ns = r.last_token_ns = began + base::ns_per_ms;
  r.end_ns = began + 2 * base::ns_per_ms;
  r.sample_tokens = r.prompt_tokens = 5;
  r.output_tokens = r.wanted_tokens = 3;
  r.cached_tokens = r.reasoning_tokens = -1;
  r.token_count = 1;
  r.id = memory.text("check-0");
  r.finish_reason = memory.text("stop");
  r.text = memory.text(what.text);
  std::vector<ifb_field> fields;
  for (const scorer_answer::field& each : what.attributes)
    fields.push_back({memory.text(each.name), memory.text(each.value)});
  r.attributes = memory.copy(std::span<const ifb_field>(fields));
  r.attribute_count = static_cast<std::uint32_t>(fields.size());
  return memory.put(r);
}

}  // namespace inferbench::check

#include "task.hpp"

#include <inferbench/json_writer.hpp>

namespace structured {

namespace {

// A small part of SQL, in the EBNF that vLLM's grammars have.
constexpr std::string_view sql_grammar =
    "root ::= \"SELECT \" column \" from \" table \" where \" condition\n"
    "column ::= \"col_1 \" | \"col_2 \"\n"
    "table ::= \"table_1 \" | \"table_2 \"\n"
    "condition ::= column \"= \" number\n"
    "number ::= \"1 \" | \"2 \"\n";

constexpr std::string_view mail_pattern = R"(\w+@\w+\.com\n)";

std::string json_text_of(std::string_view text) {
  std::string out;
  ifb::append_json_string(out, text);
  return out;
}

}  // namespace

std::string_view structure_of(task_kind kind) noexcept {
  switch (kind) {
    case task_kind::grammar: return "grammar";
    case task_kind::regex: return "regex";
    case task_kind::choice: return "choice";
    default: return "json";
  }
}

task fixed_task(task_kind kind) {
  switch (kind) {
    case task_kind::grammar:
      return {"Write an SQL query that selects the columns name and email of the table users.",
              std::string(sql_grammar), json_text_of(sql_grammar)};
    case task_kind::regex:
      // The example matches the pattern, which has neither a dot nor a hyphen before the @.
      return {
          "Write the e-mail address of Ada Lovelace, who works at Analytica. The address ends "
          "in .com, and a new line follows it. An example of an address: "
          "grace_hopper@navy.com\n",
          std::string(mail_pattern), json_text_of(mail_pattern)};
    case task_kind::choice: {
      constexpr std::string_view choices = R"(["Positive", "Negative"])";
      return {
          "Classify the sentiment of this sentence as Positive or Negative: Our trip to the "
          "lake was a delight!",
          std::string(choices), std::string(choices)};
    }
    default: return {};
  }
}

std::string prompt_for_schema(std::string_view schema) {
  return "Write a short example of a user profile that follows this JSON schema: " +
         std::string(schema);
}

std::string request_members(task_kind kind, std::string_view value, bool guided) {
  ifb::json_writer out;
  out.begin_object();
  if (guided) {
    out.key("guided_" + std::string(structure_of(kind)));
    out.raw(value);
  } else {
    out.key("structured_outputs");
    out.begin_object();
    out.key(structure_of(kind));
    out.raw(value);
    out.end_object();
  }
  out.end_object();
  return out.take();
}

}  // namespace structured

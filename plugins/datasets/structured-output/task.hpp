// The tasks of the plugin: the prompt of a request, and the structure that its answer must have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace structured {

/// The kinds of data. Their names are task_names, in the same order.
enum class task_kind : std::uint8_t {
  json,
  json_unique,
  grammar,
  regex,
  choice,
  xgrammar_bench,
  xgrammar_bench_alias  // the same kind as xgrammar_bench
};

inline constexpr const char* task_names[] = {"json",   "json-unique",    "grammar",       "regex",
                                             "choice", "xgrammar_bench", "xgrammar-bench"};

[[nodiscard]] constexpr bool is_xgrammar_bench(task_kind kind) noexcept {
  return kind == task_kind::xgrammar_bench || kind == task_kind::xgrammar_bench_alias;
}
[[nodiscard]] constexpr bool has_schema_file(task_kind kind) noexcept {
  return kind == task_kind::json || kind == task_kind::json_unique;
}

/// The type of the structure, as a member of `structured_outputs` and as the metadata
/// structured.type: json, grammar, regex or choice.
[[nodiscard]] std::string_view structure_of(task_kind kind) noexcept;

/// A task that is the same for all requests.
struct task {
  std::string prompt;
  std::string schema;  // the metadata structured.schema
  std::string value;   // the value of the request's member, as JSON text
};

/// The task of the kinds grammar, regex and choice.
[[nodiscard]] task fixed_task(task_kind kind);

/// The prompt of the kinds json and json-unique for a schema, which is JSON text.
[[nodiscard]] std::string prompt_for_schema(std::string_view schema);

/// Returns the JSON object with which a request asks for a structure, to be laid over the body:
/// {"structured_outputs": {"json": VALUE}}, or, if `guided` is true, the older form
/// {"guided_json": VALUE}.
[[nodiscard]] std::string request_members(task_kind kind, std::string_view value, bool guided);

}  // namespace structured

// The page of a dashboard: a template in Markdown whose placeholders become tables and the results
// as JSON. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace inferbench::perf {

/// The texts for the placeholders.
struct page_texts {
  std::string latency_table;     // {latency_tests_markdown_table}
  std::string throughput_table;  // {throughput_tests_markdown_table}
  std::string serving_table;     // {serving_tests_markdown_table}
  std::string platform_table;    // {platform_markdown_table}
  std::string results_json;      // {benchmarking_results_in_json_string}
};

/// The template that is used if the user gives no file. The view is valid for the whole program.
[[nodiscard]] std::string_view usual_descriptions();

/// The template with the texts, by the rules of Python's str.format: "{{" and "}}" are braces.
/// Throws base::error with `file` and line for an unknown placeholder and a single brace.
[[nodiscard]] std::string filled(std::string_view descriptions, const page_texts& with,
                                 const std::string& file);

}  // namespace inferbench::perf

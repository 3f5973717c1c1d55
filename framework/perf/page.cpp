#include "perf/page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::perf {

namespace {

constexpr const char* known_placeholders =
    "the placeholders are {latency_tests_markdown_table}, {throughput_tests_markdown_table}, "
    "{serving_tests_markdown_table}, {platform_markdown_table} and "
    "{benchmarking_results_in_json_string}; a brace is written twice";

const std::string* text_for(std::string_view placeholder, const page_texts& from) {
  const std::pair<std::string_view, const std::string*> all[] = {
      {"latency_tests_markdown_table", &from.latency_table},
      {"throughput_tests_markdown_table", &from.throughput_table},
      {"serving_tests_markdown_table", &from.serving_table},
      {"platform_markdown_table", &from.platform_table},
      {"benchmarking_results_in_json_string", &from.results_json},
  };
  for (const auto& [name, text] : all)
    if (name == placeholder) return text;
  return nullptr;
}

}  // namespace

std::string_view usual_descriptions() {
  return R"(# Benchmark results

## Latency

The time of one batch of fixed size, repeated. All times are in milliseconds.

{latency_tests_markdown_table}

## Throughput

All prompts are given to the engine at once.

{throughput_tests_markdown_table}

## Serving

Requests are sent to a server at a rate (qps) with at most so many in flight. TTFT is the time to the
first token, TPOT (the columns Median and P99, too) the time per output token after the first, and ITL
the time between two tokens, all in milliseconds.

{serving_tests_markdown_table}

## Platform

{platform_markdown_table}

## Results as JSON

```json
{benchmarking_results_in_json_string}
```
)";
}

std::string filled(std::string_view descriptions, const page_texts& with, const std::string& file) {
  std::string out;
  const auto fail = [&](std::size_t at, const std::string& message) {
    const auto line = 1 + std::ranges::count(descriptions.substr(0, at), '\n');
    throw base::error(message, known_placeholders, {file, static_cast<std::uint32_t>(line), 0});
  };
  for (std::size_t at = 0; at < descriptions.size(); ++at) {
    const char c = descriptions[at];
    if (c != '{' && c != '}') {
      out += c;
      continue;
    }
    if (descriptions.substr(at + 1).starts_with(c)) {
      out += c;
      ++at;
      continue;
    }
    const auto end = descriptions.find('}', at);
    if (c == '}' || end == std::string_view::npos) fail(at, "a single brace");
    const std::string_view name = descriptions.substr(at + 1, end - at - 1);
    const std::string* const text = text_for(name, with);
    if (text == nullptr) fail(at, "unknown placeholder {" + base::one_line(name) + "}");
    out += *text;
    at = end;
  }
  return out;
}

}  // namespace inferbench::perf

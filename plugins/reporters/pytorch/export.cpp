#include "export.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <rapidjson/reader.h>

#include <inferbench/guard.hpp>

namespace reporters {
namespace {

// The order of upstream's records. TTFT and ITL begin with the median, TPOT begins with the mean.
constexpr std::array<std::string_view, 12> metrics{
    "median_ttft_ms", "mean_ttft_ms",   "std_ttft_ms", "p99_ttft_ms",
    "mean_tpot_ms",   "median_tpot_ms", "std_tpot_ms", "p99_tpot_ms",
    "median_itl_ms",  "mean_itl_ms",    "std_itl_ms",  "p99_itl_ms"};

constexpr std::string_view mode_key = "compilation_config.mode";
constexpr std::string_view level_key = "optimization_level";
constexpr std::string_view parallel_key = "tensor_parallel_size";

/// Returns the value from the result, which includes --metadata; else from the arguments; else "".
std::string setting(const export_of& from, std::string_view key) {
  if (const std::string_view json = from.result.json(key); !json.empty()) return std::string(json);
  if (const std::string_view json = find(from.args, key); !json.empty()) return std::string(json);
  return "\"\"";
}

void write_args(ifb::json_writer& out, const export_of& from) {
  out.begin_object();
  for (const auto& [name, json] : from.args) {
    out.key(name);
    out.raw(json);
  }
  const std::string_view parallel = from.result.json(parallel_key);
  if (find(from.args, parallel_key).empty() && !parallel.empty()) {
    out.key(parallel_key);
    out.raw(parallel);
  }
  out.end_object();
}

void write_benchmark(ifb::json_writer& out, const export_of& from) {
  const std::string mode = setting(from, mode_key);
  const bool eager = mode == "0" || mode == "\"0\"" ||
                     from.result_filename.find("eager") != std::string_view::npos;
  out.begin_object();
  out.member("name", "vLLM benchmark");
  out.key("extra_info");
  out.begin_object();
  out.key("args");
  write_args(out, from);
  out.key(mode_key);
  out.raw(mode);
  out.key(level_key);
  out.raw(setting(from, level_key));
  out.member("use_compile", !eager);
  out.end_object();
  out.end_object();
}

std::string other_keys(const document& result) {
  ifb::json_writer out;
  out.begin_object();
  result.for_each([&](std::string_view name, std::string_view json) {
    if (std::ranges::find(metrics, name) != metrics.end()) return;
    out.key(name);
    out.raw(json);
  });
  out.end_object();
  return out.take();
}

bool is_array(std::string_view text) {
  if (text.empty() || text.front() != '[') return false;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> nothing;
  return !reader.Parse<rapidjson::kParseIterativeFlag>(stream, nothing).IsError();
}

}  // namespace

std::string records_of(const export_of& from) {
  ifb::json_writer benchmark;
  write_benchmark(benchmark, from);
  const std::string others = other_keys(from.result);
  std::string all;
  for (const std::string_view name : metrics) {
    const std::string_view value = from.result.json(name);
    if (value.empty()) continue;
    ifb::json_writer out;
    out.begin_object();
    out.key("benchmark");
    out.raw(benchmark.text());
    out.key("model");
    out.begin_object();
    out.key("name");
    out.raw(from.model);
    out.end_object();
    out.key("metric");
    out.begin_object();
    out.member("name", name);
    out.key("benchmark_values");
    out.raw("[" + std::string(value) + "]");
    out.key("extra_info");
    out.raw(others);
    out.end_object();
    out.end_object();
    all += (all.empty() ? "" : ", ") + out.take();
  }
  return all;
}

std::string appended(std::string_view before, std::string_view records) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = before.find_first_not_of(blanks);
  const auto last = before.find_last_not_of(blanks);
  if (first == std::string_view::npos) return '[' + std::string(records) + ']';
  std::string_view array = before.substr(first, last - first + 1);
  if (!is_array(array))
    throw ifb::failure{IFB_E_DATA, "the file is not a JSON array; move the file away"};
  array.remove_suffix(1);
  const bool empty = array.find_first_not_of(blanks, 1) == std::string_view::npos;
  return std::string(array) + (empty ? "" : ", ") + std::string(records) + ']';
}

}  // namespace reporters

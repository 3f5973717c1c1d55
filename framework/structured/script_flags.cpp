#include "structured/script_flags.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "structured/upstream.hpp"

namespace inferbench::structured {

namespace {

constexpr auto text = script_type::text;
constexpr auto whole = script_type::whole;
constexpr auto real = script_type::real;
constexpr auto list = script_type::list;
constexpr auto toggle = script_type::toggle;

constexpr std::array all_script_flags{
    script_flag{"backend", text, "NAME", upstream::backend, "backend",
                "Plugin that speaks the server's protocol"},
    script_flag{"base-url", text, "URL", nullptr, "base-url",
                "Address of the server, without the endpoint; replaces host and port"},
    script_flag{"host", text, "TEXT", "127.0.0.1", "host", "Host of the server"},
    script_flag{"port", whole, "PORT", "8000", "port", "Port of the server"},
    script_flag{"endpoint", text, "PATH", nullptr, "endpoint",
                "Path of requests; if not given, the default of the backend"},
    script_flag{"dataset", text, "NAME", "json", "structured-output-dataset",
                "Structure of the answers: json, json-unique, grammar, regex, choice or "
                "xgrammar_bench"},
    script_flag{"json-schema-path", text, "PATH", nullptr, "structured-output-schema-path",
                "File with the JSON schema of json and json-unique; if not given, an example"},
    script_flag{"max-concurrency", whole, "N", nullptr, "max-concurrency",
                "Most requests in flight; if not given, no limit"},
    script_flag{"model", text, "NAME", nullptr, "model", "Model in requests (required)"},
    script_flag{"tokenizer", text, "NAME", nullptr, "tokenizer",
                "Model or path of the tokenizer; if not given, the model"},
    script_flag{"tokenizer-mode", text, "NAME", "auto", "tokenizer-mode",
                "Plugin of the tokenizer"},
    script_flag{"num-prompts", whole, "N", "1000", "num-prompts", "Number of requests"},
    script_flag{"output-len", whole, "N", "128", "structured-output-len",
                "Output length in tokens"},
    script_flag{"request-rate", real, "NUMBER", "inf", "request-rate",
                "Requests per second; inf: all at once"},
    script_flag{"burstiness", real, "NUMBER", "1.0", "burstiness",
                "Shape of the gamma distribution of gaps; 1: Poisson, less: burstier"},
    script_flag{"seed", whole, "N", "0", "seed", "Seed of all random choices"},
    script_flag{"trust-remote-code", toggle, nullptr, nullptr, "trust-remote-code",
                "Accept tokenizers that contain code"},
    script_flag{"disable-tqdm", toggle, nullptr, nullptr, "disable-tqdm", "Hide the progress bar"},
    script_flag{"save-results", toggle, nullptr, nullptr, nullptr,
                "Write the script's result file"},
    script_flag{"profile", toggle, nullptr, nullptr, "profile",
                "Start the server's profiler for the run"},
    script_flag{"result-dir", text, "PATH", nullptr, nullptr, "Folder of the result file"},
    script_flag{"result-filename", text, "PATH", nullptr, nullptr,
                "Name of the result file instead of the generated one"},
    script_flag{"ignore-eos", toggle, nullptr, nullptr, "ignore-eos",
                "Ask the server to generate past the end of sequence"},
    script_flag{"percentile-metrics", text, "NAMES", "ttft,tpot,itl", "percentile-metrics",
                "Metrics to report percentiles of: ttft, tpot, itl, e2el"},
    script_flag{"metric-percentiles", text, "NUMBERS", "99", "metric-percentiles",
                "Percentiles to report"},
    script_flag{"goodput", list, "NAME:MS", nullptr, "goodput",
                "Limits that a good request keeps, in ms: ttft, tpot, e2el"},
    script_flag{"no-structured-output", toggle, nullptr, nullptr, nullptr,
                "Demand no structure: a ratio of 0"},
    script_flag{"structured-output-ratio", real, "NUMBER", "1.0", "structured-output-ratio",
                "Share of the requests that demand the structure, from 0 to 1"},
    script_flag{"random-prefix-len", whole, "N", "0", "structured-output-random-prefix-len",
                "Random tokens in front of each prompt"},
    script_flag{"structure-type", text, "NAME", nullptr, nullptr,
                "No effect: the data set decides the structure"},
};

constexpr std::array<std::string_view, 6> all_datasets{"json",  "json-unique", "grammar",
                                                       "regex", "choice",      "xgrammar_bench"};

}  // namespace

std::span<const script_flag> script_flags() { return all_script_flags; }

std::span<const std::string_view> script_datasets() { return all_datasets; }

const script_flag* find_script_flag(std::string_view written) {
  if (!written.starts_with("--") || written.size() == 2) return nullptr;
  std::string name(written.substr(2));
  std::ranges::replace(name, '_', '-');
  const script_flag* found = nullptr;
  for (const script_flag& each : all_script_flags) {
    const std::string_view whole_name(each.name);
    if (whole_name == name) return &each;
    if (!whole_name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &each;
  }
  // --help is a flag of the script, too.
  return std::string_view("help").starts_with(name) ? nullptr : found;
}

std::string script_help() {
  constexpr std::size_t indent = 36;
  constexpr std::size_t width = 100;
  std::string out =
      "Usage: inferbench structured-output --model NAME [OPTION]...\n"
      "Measure a server whose answers must have a structure, and how often they have it; flags "
      "and\n"
      "results of vLLM's benchmark_serving_structured_output.\n\n";
  for (const script_flag& each : all_script_flags) {
    std::string left = std::string("  --") + each.name;
    if (each.value_name != nullptr) left += std::string(" ") + each.value_name;
    std::string help = each.help;
    if (each.fallback != nullptr) help += std::string(" (default ") + each.fallback + ")";
    out += base::help_row(std::move(left), help, indent, width);
  }
  out +=
      "\nAll other flags are those of inferbench serve, which the command runs; the first line of "
      "the\noutput is the command line of serve. --correctness upstream scores as the script does. "
      "See\ninferbench serve --help.\n";
  return out;
}

}  // namespace inferbench::structured

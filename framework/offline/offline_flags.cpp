#include "offline/offline_flags.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "offline/upstream.hpp"

namespace inferbench::offline {

namespace {

std::string_view summary_of(benchmark which) {
  switch (which) {
    case benchmark::throughput:
      return "Give all prompts to an engine at once, and measure requests and tokens per second.";
    case benchmark::latency:
      return "Repeat one batch of fixed size, and measure the time of each repetition.";
    case benchmark::startup:
      return "Start an engine or a server with empty and filled caches, and measure the time "
             "until it is ready.";
    case benchmark::mm_processor:
      return "Measure the stages of the preparation of images and videos, and the encoder.";
    case benchmark::prefix_caching:
      return "Measure the time of one call with prompts that share a beginning or are repeated.";
    case benchmark::long_document_qa:
      return "Measure the time of one call with long documents that are repeated.";
    case benchmark::prioritization:
      return "Measure requests and tokens per second if each request has a random priority.";
  }
  return {};
}

std::string shown_default(const offline_flag& flag) {
  const std::string_view json = flag.fallback;
  if (json == "null" || flag.type == flag_type::toggle) return {};
  std::string_view plain = json == "Infinity" ? std::string_view("inf") : json;
  if (plain.starts_with('"')) plain = plain.substr(1, plain.size() - 2);
  return " (default " + std::string(plain) + ")";
}

// Columns of --help.
constexpr std::size_t help_indent = 40;
constexpr std::size_t help_width = 100;

}  // namespace

std::string_view name_of(benchmark which) {
  switch (which) {
    case benchmark::throughput: return "throughput";
    case benchmark::latency: return "latency";
    case benchmark::startup: return "startup";
    case benchmark::mm_processor: return "mm-processor";
    case benchmark::prefix_caching: return "prefix-caching";
    case benchmark::long_document_qa: return "long-document-qa";
    case benchmark::prioritization: return "prioritization";
  }
  return {};
}

const offline_flag* find_flag(benchmark which, std::string_view name) {
  const auto flags = all_offline_flags();
  const auto found = std::ranges::find_if(flags, [&](const offline_flag& each) {
    return (each.commands & bit_of(which)) != 0 && name == each.name;
  });
  return found == flags.end() ? nullptr : &*found;
}

std::string nearest_flag(benchmark which, std::string_view name) {
  std::vector<std::string> names;
  for (const offline_flag& each : all_offline_flags())
    if ((each.commands & bit_of(which)) != 0 && each.help != nullptr)
      names.push_back("--" + std::string(each.name));
  return base::did_you_mean("--" + std::string(name), names);
}

std::string offline_help(benchmark which) {
  std::string out = "Usage: inferbench " + std::string(name_of(which)) +
                    " --model MODEL [OPTION]...\n" + std::string(summary_of(which)) + "\n\n";
  for (const offline_flag& each : all_offline_flags()) {
    if ((each.commands & bit_of(which)) == 0 || each.help == nullptr) continue;
    std::string left = "  --" + std::string(each.name);
    if (each.value_name != nullptr) left += std::string(" ") + each.value_name;
    out +=
        base::help_row(std::move(left), each.help + shown_default(each), help_indent, help_width);
  }
  out += base::help_row("  -h, --help", "Show this text", help_indent, help_width);
  out +=
      "\nAll other options are options of the engine, such as --model, --tokenizer, --seed, "
      "--max-model-len\n"
      "and --tensor-parallel-size: --NAME VALUE, --NAME or --no-NAME, and --NAME.KEY VALUE for a "
      "member of a\n"
      "JSON value. --engine.NAME is --NAME for an option of the engine that has the name of an "
      "option above.\n"
      "In names, \"_\" means \"-\".\n";
  return out + std::string(upstream::engines_help());
}

}  // namespace inferbench::offline

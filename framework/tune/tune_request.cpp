#include "tune/tune_request.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "scripts/flag_line.hpp"
#include "sweep/command.hpp"
#include "tune/result_text.hpp"

namespace inferbench::tune {

namespace {

constexpr std::int64_t largest_number = 1'000'000'000;
constexpr std::int64_t highest_port = 65535;
constexpr std::string_view no_option = "none";
constexpr std::string_view option_words = "OPTIONS";

constexpr scripts::flag_row tune_flags[] = {
    {"model", 0, "MODEL", "MODEL", "meta-llama/Llama-3.1-8B-Instruct",
     "Model of the server and of the requests"},
    {"tp", 0, "TP", "N", "1", "Tensor parallel size of vllm serve"},
    {"download-dir", 0, "DOWNLOAD_DIR", "FOLDER", "", "Folder of the weights for vllm serve"},
    {"input-len", 0, "INPUT_LEN", "N", "4000", "Tokens of a prompt"},
    {"output-len", 0, "OUTPUT_LEN", "N", "16", "Tokens of an answer"},
    {"max-model-len", 0, "MAX_MODEL_LEN", "N", "4096", "Most tokens of prompt and answer"},
    {"min-cache-hit-pct", 0, "MIN_CACHE_HIT_PCT", "PERCENT", "0",
     "Share of a prompt's tokens that all prompts have in common, in percent"},
    {"max-latency-allowed-ms", 0, "MAX_LATENCY_ALLOWED_MS", "MS", "100000000000",
     "Limit of the 99th percentile of the end-to-end latency"},
    {"num-seqs-list", 0, "NUM_SEQS_LIST", "LIST", "128 256", "Values of max_num_seqs"},
    {"num-batched-tokens-list", 0, "NUM_BATCHED_TOKENS_LIST", "LIST", "512 1024 2048 4096",
     "Values of max_num_batched_tokens"},
    {"base", 0, "BASE", "FOLDER", ".",
     "Parent of the vllm checkout; the results are below auto-benchmark/ in this folder"},
    {"system", 0, "SYSTEM", "TPU|GPU", "TPU", "Accepted for the script's sake, without effect"},
    {"vllm-logging-level", 0, "VLLM_LOGGING_LEVEL", "LEVEL", "",
     "The variable VLLM_LOGGING_LEVEL of the servers"},
    {"serve-cmd", 0, "", "COMMAND", "",
     "Command of the server, to which the port and the tuned options are added; without it vllm "
     "serve with the model, prefix caching and dummy weights"},
    {"port", 0, "", "PORT", "8004",
     "Port of the server, added as --port unless --serve-cmd has a port"},
    {"seqs-option", 0, "", "NAME", "max-num-seqs", "Name of the server's first tuned option"},
    {"tokens-option", 0, "", "NAME", "max-num-batched-tokens",
     "Name of the server's second tuned option"},
    {"memory-option", 0, "", "NAME", "gpu-memory-utilization",
     "Name of the server's option for the share of the memory; none: it has none, and the first "
     "step is left out"},
    {"profile-options", 0, "", option_words, "",
     "Options of the server that is profiled, with {} for the folder of the profile; none: no "
     "options, for vllm before 0.13. Without it, vllm serve gets --profiler-config, and "
     "--serve-cmd nothing"},
    {"skip-profile", 0, "", "", "", "Make no profile of the best combination"},
    {"bench-options", 0, "", option_words, "",
     "Flags of inferbench serve for each benchmark, as one argument: --bench-options "
     "\"--temperature 0 --seed 1\""},
    {"reset-path", 0, "", "PATH", "/reset_prefix_cache",
     "Path to which a POST empties the server's cache; none: there is no cache"},
    {"search", 0, "", "step|find", "step",
     "step: rates go down by 1 request/s, 100 requests each, as in the script; find: the certified "
     "search of inferbench find"},
    {"find-options", 0, "", option_words, "",
     "Flags of inferbench find for --search find, as one argument: --find-options \"--max-time "
     "2h\""},
    {"server-ready-timeout", 0, "", "SECONDS", "600", "Longest wait for a server to be ready"},
};

/// Whether the argument is the name of a flag of the table, with "=" or without.
const scripts::flag_row* row_of(const std::string& arg) {
  std::string name = arg.substr(0, arg.find('='));
  std::ranges::replace(name, '_', '-');
  const auto* const at = std::ranges::find_if(tune_flags, [&](const scripts::flag_row& row) {
    return "--" + std::string(row.name) == name;
  });
  return at == std::end(tune_flags) ? nullptr : at;
}

/// The arguments, with "=" before the value of a flag that takes options of another command, so
/// that the value may begin with "--". A flag of this command is no such value.
std::vector<std::string> with_joined_options(std::span<const std::string> args) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < args.size(); ++at) {
    out.push_back(args[at]);
    const scripts::flag_row* const row = row_of(args[at]);
    if (row == nullptr || row->value != option_words || args[at].find('=') != std::string::npos ||
        at + 1 == args.size() || !args[at + 1].starts_with("--") || row_of(args[at + 1]) != nullptr)
      continue;
    out.back() += "=" + args[++at];
    if (at + 1 < args.size() && !args[at + 1].starts_with('-'))
      throw options::usage_error(
          "its value is one argument, and " + options::in_quotes(base::one_line(args[at + 1])) +
              " is another",
          "write --" + std::string(row->name) + " \"" + base::one_line(args[at]) + " " +
              base::one_line(args[at + 1]) + "\"",
          {"--" + std::string(row->name)});
  }
  return out;
}

std::vector<std::string> words_of(const scripts::flag_line& line, const char* name) {
  const std::string text = line.text(name);
  if (base::trim(text).empty() || text == no_option) return {};
  return sweep::split_words(text, "--" + std::string(name));
}

/// The name of an option of the server with its dashes; empty for "none" if that is allowed.
std::string option_of(const scripts::flag_line& line, const char* name, bool may_be_none) {
  std::string text = line.text(name);
  if (text == no_option && may_be_none) return {};
  if (text.empty() || text == no_option || text.find_first_of(" \t\n=") != std::string::npos)
    throw options::usage_error(options::in_quotes(text) + " is not the name of an option",
                               "write for instance max-num-seqs", {"--" + std::string(name)});
  return text.starts_with('-') ? text : "--" + text;
}

std::string reset_path_of(const scripts::flag_line& line) {
  std::string text = line.text("reset-path");
  if (text == no_option) return {};
  if (!text.starts_with('/') || text.find_first_of(" \t\r\n") != std::string::npos)
    throw options::usage_error(options::in_quotes(text) + " is not a path",
                               "write for instance /reset_prefix_cache, or none", {"--reset-path"});
  return text;
}

rate_search search_of(const scripts::flag_line& line) {
  const std::string text = line.text("search");
  if (text == "step") return rate_search::step;
  if (text == "find") return rate_search::find;
  throw options::usage_error("expected step or find, not " + options::in_quotes(text), {},
                             {"--search"});
}

std::vector<std::int64_t> list_of(const scripts::flag_line& line, const char* name,
                                  const char* variable) {
  return read_list(line.text(name), line.on_line(name) || !line.given(name)
                                        ? "--" + std::string(name)
                                        : "$" + std::string(variable));
}

/// As in the script, this is found after the other values were read.
void require_room(const tune_request& request) {
  if (request.input_len + request.output_len <= request.max_model_len) return;
  throw base::error("the input of " + std::to_string(request.input_len) + " and the output of " +
                        std::to_string(request.output_len) + " tokens are longer than the " +
                        std::to_string(request.max_model_len) + " tokens of the model",
                    "give a larger --max-model-len ($MAX_MODEL_LEN), or a shorter input or output");
}

tune_request without_room_check(std::span<const std::string> args,
                                const options::environment& env) {
  const std::vector<std::string> joined = with_joined_options(args);
  const scripts::flag_line line(tune_flags, joined, env);
  tune_request out;
  if (line.asks_for_help()) {
    out.help = scripts::flags_help(
        "inferbench tune [FLAG]...",
        "Look for the values of max_num_seqs and max_num_batched_tokens with which a server has "
        "the highest throughput within a limit of latency. A flag comes before the variable of "
        "the environment that its text names. `inferbench tune batch --help` explains the driver "
        "for several tunings.",
        tune_flags);
    return out;
  }
  out.base = std::filesystem::absolute(env.expand(line.text("base"))).lexically_normal().string();
  out.model = line.text("model");
  out.tensor_parallel = line.whole("tp", 1, largest_number);
  out.download_dir = line.text("download-dir");
  out.input_len = line.whole("input-len", 1, largest_number);
  out.output_len = line.whole("output-len", 1, largest_number);
  out.max_model_len = line.whole("max-model-len", 1, largest_number);
  out.cache_hit_pct = line.whole("min-cache-hit-pct", 0, 100);
  out.limit_ms = line.positive("max-latency-allowed-ms");
  out.seqs = list_of(line, "num-seqs-list", "NUM_SEQS_LIST");
  out.tokens = list_of(line, "num-batched-tokens-list", "NUM_BATCHED_TOKENS_LIST");
  if (const std::string system = line.text("system"); system != "TPU" && system != "GPU")
    out.warnings.push_back("the system is " + options::in_quotes(system) +
                           ", neither TPU nor GPU; it has no effect here");
  out.logging_level = line.text("vllm-logging-level");
  out.serve_command = words_of(line, "serve-cmd");
  out.port = line.whole("port", 1, highest_port);
  out.port_given = line.given("port");
  out.seqs_option = option_of(line, "seqs-option", false);
  out.tokens_option = option_of(line, "tokens-option", false);
  out.memory_option = option_of(line, "memory-option", true);
  out.profile_options = words_of(line, "profile-options");
  if (out.serve_command.empty() && !line.given("profile-options"))
    out.profile_options = {"--profiler-config",
                           R"({"profiler": "torch", "torch_profiler_dir": "{}"})"};
  out.profile = !line.on("skip-profile");
  out.bench_options = words_of(line, "bench-options");
  out.reset_path = reset_path_of(line);
  out.search = search_of(line);
  out.find_options = words_of(line, "find-options");
  if (!out.find_options.empty() && out.search == rate_search::step)
    throw options::usage_error("works with --search find only", {}, {"--find-options"});
  out.ready_timeout_s =
      static_cast<std::uint64_t>(line.whole("server-ready-timeout", 1, 1'000'000));
  return out;
}

}  // namespace

std::vector<std::int64_t> read_list(std::string_view text, const std::string& source) {
  std::vector<std::int64_t> out;
  std::string blanks(text);
  std::ranges::replace_if(
      blanks, [](char c) { return c == ',' || c == '\t' || c == '\n' || c == '\r'; }, ' ');
  for (const std::string_view word : base::split(blanks, ' ')) {
    if (word.empty()) continue;
    const std::optional<std::int64_t> number = base::parse_int(word);
    if (!number || *number < 1 || *number > largest_number)
      throw options::usage_error(
          options::in_quotes(word) + " is not a whole number from 1 to 1000000000",
          "write a list such as \"128 256\"", {source});
    if (std::ranges::find(out, *number) != out.end())
      throw options::usage_error("the list has " + std::to_string(*number) + " twice", {},
                                 {source});
    out.push_back(*number);
  }
  if (out.empty())
    throw options::usage_error("the list is empty", "write a list such as \"128 256\"", {source});
  return out;
}

tune_request parse_tune(std::span<const std::string> args, const options::environment& env) {
  tune_request out = without_room_check(args, env);
  if (out.help.empty()) require_room(out);
  return out;
}

tune_request read_flags(std::span<const std::string> args) { return without_room_check(args, {}); }

}  // namespace inferbench::tune

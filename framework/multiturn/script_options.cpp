#include "multiturn/script_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "multiturn/run_files.hpp"
#include "multiturn/serve_flags.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"
#include "scripts/flag_line.hpp"

namespace inferbench::multiturn {

namespace {

constexpr scripts::flag_row script_flags[] = {
    {"input-file", 'i', "", "FILE", "",
     "Conversations, a JSON list; or a configuration that says how to make conversations, a JSON "
     "object"},
    {"output-file", 'o', "", "FILE", "",
     "File for the conversations with the answers of the server"},
    {"seed", 0, "", "N", "0", "Seed of all random choices"},
    {"model", 'm', "", "NAME", "", "Model, from which the tokenizer is loaded"},
    {"served-model-name", 0, "", "NAME", "",
     "Name of the model in requests; if not given, the model"},
    {"url", 'u', "", "URL", "http://localhost:8000", "Address of the server"},
    {"num-clients", 'p', "", "N", "1", "Clients; each has one request in flight"},
    {"max-active-conversations", 'k', "", "N", "",
     "Conversations in progress, of all clients together; if not given, one for each client"},
    {"max-num-requests", 'n', "", "N", "", "Requests, of all clients together"},
    {"warmup-step", 0, "", "", "",
     "First send the first turn of each conversation, keep the answers and report nothing"},
    {"max-turns", 0, "", "N", "", "Messages of user and assistant in a conversation, at most"},
    {"no-early-stop", 0, "", "", "", "Do not end the run when the first client has no more work"},
    {"limit-max-tokens", 0, "", "N", "0",
     "max_tokens of each request; 0: the length of the recorded answer; negative: none"},
    {"limit-min-tokens", 0, "", "N", "0",
     "min_tokens of each request; 0: the length of the recorded answer; negative: none"},
    {"request-rate", 0, "", "RATE", "0",
     "Requests per second of a client: after each request it pauses for 1/RATE seconds on average; "
     "0: no pauses"},
    {"max-retries", 0, "MULTITURN_BENCH_MAX_RETRIES", "N", "0",
     "Further attempts after a request that failed"},
    {"conversation-sampling", 0, "", "ORDER", "round_robin",
     "Which of its conversations a client continues: round_robin or random"},
    {"verify-output", 0, "", "", "",
     "Compare each answer with the recorded answer; status 1 if any differs"},
    {"request-timeout-sec", 0, "", "N", "120", "A request fails after this time"},
    {"no-stream", 0, "", "", "", "Ask for whole answers"},
    {"excel-output", 'e', "", "", "", "Write a workbook with the statistics and the requests"},
    {"verbose", 'v', "", "", "", "One more row: the time between the turns of a conversation"},
    {"print-content", 0, "", "", "", "No effect here: --output-file has the texts"},
    {"warmup-percentages", 0, "", "LIST", "0%",
     "Shares of the requests that a summary leaves out at the start, with commas between: one "
     "summary for each"},
    {"trust-remote-code", 0, "", "", "", "Accept a tokenizer that contains code"},
    {"stats-json-output", 0, "", "FILE", "", "File for the figures of each request"},
    {"send-conversation-id", 0, "", "", "", "Add conversation_id to each request"},
    {"api-key", 0, "", "KEY", "", "Sent as a bearer token"},
    {"header", 0, "", "K=V", "", "Header of each request, also as K: V; may be repeated"},
    {"version", 0, "", "", "", "Print the version"},
};

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

const scripts::flag_row* row_of_letter(char letter) {
  const auto* const at = std::ranges::find(script_flags, letter, &scripts::flag_row::letter);
  return at == std::end(script_flags) || letter == 0 ? nullptr : at;
}

/// The flag of a long name or of a unique beginning of it; nullptr: no flag, or several.
const scripts::flag_row* row_of_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  const scripts::flag_row* out = nullptr;
  for (const scripts::flag_row& row : script_flags) {
    if (row.name == name) return &row;
    if (!row.name.starts_with(name)) continue;
    if (out != nullptr)
      throw options::usage_error("ambiguous flag --" + base::one_line(name),
                                 fmt::format("write --{} or --{}", out->name, row.name));
    out = &row;
  }
  return out;
}

std::pair<std::string, std::string> header_of(const std::string& text) {
  std::size_t at = text.find('=');
  std::size_t value = at + 1;
  if (const std::size_t colon = text.find(": "); colon < at) {
    at = colon;
    value = colon + 2;
  }
  const std::string name(base::trim(std::string_view(text).substr(0, at)));
  if (at == std::string::npos || name.empty())
    throw options::usage_error("a value is not a header", "write NAME=VALUE or \"NAME: VALUE\"",
                               {"--header", 0, 0});
  return {name, std::string(base::trim(std::string_view(text).substr(value)))};
}

bool is_help(const std::string& arg) { return arg == "--help" || arg.starts_with("--help="); }

/// A word that begins with a dash is a flag, unless it is a number.
bool is_flag(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && !pytext::python_float(word);
}

/// The arguments for flag_line: one word for the name and one for the value, names in full. Headers
/// go to `to.headers`, because each of them counts, and the words of serve to `to.rest`.
std::vector<std::string> spelled_out(std::span<const std::string> args, script_options& to) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    const scripts::flag_row* row = nullptr;
    std::optional<std::string> value;
    if (arg.starts_with("--") && arg.size() > 2) {
      const std::size_t equals = arg.find('=');
      row = row_of_name(arg.substr(2, equals == std::string::npos ? equals : equals - 2));
      if (equals != std::string::npos) value = arg.substr(equals + 1);
    } else if (arg.size() >= 2 && arg.front() == '-') {
      row = row_of_letter(arg[1]);
      if (row != nullptr && arg.size() > 2) {
        if (row->value.empty()) row = nullptr;  // "-ev" is not taken apart
        value = arg.substr(arg[2] == '=' ? 3 : 2);
      }
    }
    if (row == nullptr && arg.starts_with("--") && arg.size() > 2 && !is_help(arg)) {
      refuse_contradiction(arg);
      to.rest.push_back(arg);
      if (value) continue;
      while (i + 1 < args.size() && !is_flag(args[i + 1]))
        to.rest.push_back(args[++i]);
      continue;
    }
    if (row == nullptr) {
      out.push_back(arg);  // flag_line has the message
      continue;
    }
    if (!row->value.empty() && !value && i + 1 < args.size() && !args[i + 1].starts_with("--"))
      value = args[++i];
    if (row->name == "header" && value) {
      to.headers.push_back(header_of(*value));
      continue;
    }
    out.push_back("--" + std::string(row->name));
    if (!value) continue;
    // A value that begins with "--" can only be given with "=".
    out.back() += "=" + *value;
  }
  return out;
}

std::vector<std::string> percentages_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view part : base::split(text, ',')) {
    const std::string_view item = base::trim(part);
    const auto number =
        item.ends_with('%') ? pytext::python_float(item.substr(0, item.size() - 1)) : std::nullopt;
    if (!number)
      throw options::usage_error(options::in_quotes(item) + " is not a percentage",
                                 "write for example 0%,50%", {"--warmup-percentages", 0, 0});
    if (!(*number >= 0 && *number < 100))
      throw base::error(options::in_quotes(item) + " is not from 0% to below 100%", {},
                        {"--warmup-percentages", 0, 0});
    out.emplace_back(item);
  }
  return out;
}

/// The range in the error for a text that is no number begins with `least`. check_alone() refuses a
/// number below it, as the script does after parsing.
std::int64_t whole_of(const scripts::flag_line& line, std::string_view name, std::int64_t least) {
  const bool is_number = base::parse_int(line.text(name)).has_value();
  return line.whole(name, is_number ? -most : least, most);
}

std::optional<std::int64_t> optional_whole(const scripts::flag_line& line, std::string_view name) {
  if (!line.given(name)) return std::nullopt;
  return whole_of(line, name, 1);
}

[[noreturn]] void refuse(const std::string& flag, const std::string& message,
                         const std::string& remedy = {}) {
  throw base::error(message, remedy, {flag, 0, 0});
}

void check_alone(const script_options& o) {
  if (o.max_turns && *o.max_turns < 1) refuse("--max-turns", "must be at least 1");
  if (o.clients < 1) refuse("--num-clients", "must be at least 1");
  if (o.request_timeout_s < 1) refuse("--request-timeout-sec", "must be above 0");
  if (o.max_requests && *o.max_requests / o.clients < 1)
    refuse("--max-num-requests",
           fmt::format("{} requests are less than one for each of the {} clients", *o.max_requests,
                       o.clients));
  if (o.max_active && *o.max_active < o.clients)
    refuse("--max-active-conversations",
           fmt::format("must be at least the number of clients, {}", o.clients));
  if (o.max_retries < 0) refuse("--max-retries", "must be at least 0");
  if (!(o.request_rate >= 0) || !std::isfinite(o.request_rate))
    refuse("--request-rate", "must be 0 or a number above it");
  if (o.limit_max_tokens <= 0 && o.limit_min_tokens <= 0) return;
  const auto needs = [](const char* flag, std::int64_t given, const char* other,
                        std::int64_t value) {
    if (value < 1)
      refuse(flag, fmt::format("{} needs {} of at least 1, too, but it is {}", given, other, value),
             "give both flags a number above 0, or neither flag");
  };
  needs("--limit-max-tokens", o.limit_max_tokens, "--limit-min-tokens", o.limit_min_tokens);
  needs("--limit-min-tokens", o.limit_min_tokens, "--limit-max-tokens", o.limit_max_tokens);
  if (o.limit_min_tokens > o.limit_max_tokens)
    refuse("--limit-min-tokens",
           fmt::format("must not be above --limit-max-tokens, {}", o.limit_max_tokens));
}

double number_of(const scripts::flag_line& line, std::string_view name) {
  const auto out = pytext::python_float(line.text(name));
  if (!out)
    throw options::usage_error(options::in_quotes(line.text(name)) + " is not a number", {},
                               {"--" + std::string(name), 0, 0});
  return *out;
}

bool random_of(const scripts::flag_line& line) {
  const std::string order = line.text("conversation-sampling");
  if (order != "round_robin" && order != "random")
    throw options::usage_error(options::in_quotes(order) + " is not round_robin or random", {},
                               {"--conversation-sampling", 0, 0});
  return order == "random";
}

std::string required(const scripts::flag_line& line, std::string_view name) {
  if (line.text(name).empty())
    throw options::usage_error(fmt::format("--{} is missing", name),
                               "inferbench multi-turn --help explains the flags");
  return line.text(name);
}

}  // namespace

script_options read_script_options(std::span<const std::string> args,
                                   const options::environment& env) {
  script_options out;
  const std::vector<std::string> words = spelled_out(args, out);
  const scripts::flag_line line(script_flags, words, env);
  out.help = line.asks_for_help();
  out.version = !out.help && line.on("version");
  if (out.help || out.version) return out;
  out.input_file = required(line, "input-file");
  out.model = required(line, "model");
  if (line.given("output-file")) out.output_file = line.text("output-file");
  out.seed = line.whole("seed", 0, std::numeric_limits<std::uint32_t>::max());
  out.served_model = line.given("served-model-name") ? line.text("served-model-name") : out.model;
  out.url = line.text("url");
  out.clients = whole_of(line, "num-clients", 1);
  out.max_active = optional_whole(line, "max-active-conversations");
  out.max_requests = optional_whole(line, "max-num-requests");
  out.warmup_step = line.on("warmup-step");
  out.max_turns = optional_whole(line, "max-turns");
  out.early_stop = !line.on("no-early-stop");
  out.limit_max_tokens = line.whole("limit-max-tokens", -most, most);
  out.limit_min_tokens = line.whole("limit-min-tokens", -most, most);
  out.request_rate = number_of(line, "request-rate");
  out.max_retries = whole_of(line, "max-retries", 0);
  out.random_sampling = random_of(line);
  out.verify_output = line.on("verify-output");
  out.request_timeout_s = whole_of(line, "request-timeout-sec", 1);
  out.stream = !line.on("no-stream");
  out.excel_output = line.on("excel-output");
  out.verbose = line.on("verbose");
  out.print_content = line.on("print-content");
  out.warmup_percentages = percentages_of(line.text("warmup-percentages"));
  out.trust_remote_code = line.on("trust-remote-code");
  out.stats_json = line.text("stats-json-output");
  out.send_conversation_id = line.on("send-conversation-id");
  out.api_key = line.text("api-key");
  check_alone(out);
  const named_file answers{"--output-file", out.output_file.value_or("")};
  // The figures go to standard output if their file is "-".
  const named_file figures{"--stats-json-output", out.stats_json == "-" ? "" : out.stats_json};
  require_different_files(std::array{named_file{"--input-file", out.input_file}, answers, figures});
  require_folder(answers);
  return out;
}

void check_against_input(const script_options& o, std::size_t conversations) {
  const auto number = static_cast<std::int64_t>(conversations);
  if (number < o.clients)
    refuse("--num-clients", fmt::format("{} clients are more than the {} conversations in {}",
                                        o.clients, number, o.input_file));
  if (o.max_active && *o.max_active > number)
    refuse("--max-active-conversations",
           fmt::format("must not be above the number of conversations, {}", number));
}

std::int64_t active_per_client(const script_options& o) noexcept {
  return o.max_active.value_or(o.clients) / o.clients;
}

std::string script_help() {
  return scripts::flags_help(
      "inferbench multi-turn -i FILE -m MODEL [FLAG]...\n"
      "       inferbench multi-turn convert INPUT OUTPUT [FLAG]...",
      "Measure a server with conversations of several turns, with the flags and files of vLLM's "
      "benchmark_serving_multi_turn. The command runs inferbench serve, and prints the command "
      "line of serve first. All other flags are those of inferbench serve, such as --reporter, "
      "--save-result, --goodput and --insecure, except those that a flag of this command sets.",
      script_flags);
}

std::string script_version() { return "inferbench multi-turn 1.0"; }

}  // namespace inferbench::multiturn

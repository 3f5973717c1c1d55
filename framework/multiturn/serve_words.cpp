#include "multiturn/serve_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "multiturn/run_files.hpp"
#include "multiturn/upstream.hpp"

namespace inferbench::multiturn {

namespace {

using words = std::vector<std::string>;

void add(words& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// A fifth of a second for each token, as in the script, if the number of tokens is known before
/// the run.
std::int64_t timeout_of(const script_options& o) {
  if (o.limit_max_tokens <= 0) return o.request_timeout_s;
  return std::max(o.request_timeout_s, o.limit_max_tokens / 5);
}

/// The members of every body.
std::string extra_body(const script_options& o) {
  return o.stream ? R"({"seed": 0, "temperature": 0.0, "stream": true, )"
                    R"("stream_options": {"include_usage": false}})"
                  : R"({"seed": 0, "temperature": 0.0, "stream": false, "stream_options": null})";
}

/// The members that differ from turn to turn, as serve's --turn-body has them.
std::string turn_body(const script_options& o) {
  std::string out;
  const auto member = [&](const char* name, const std::string& value) {
    out += (out.empty() ? "{\"" : ", \"") + std::string(name) + "\": " + value;
  };
  const auto limit = [&](const char* name, std::int64_t given, bool literal) {
    if (given == 0 || (given > 0 && !literal)) member(name, "\"$answer_tokens\"");
    if (given > 0 && literal) member(name, std::to_string(given));
  };
  // A positive maximum is the length that the data set asks for, so it is $answer_tokens, too.
  limit("min_tokens", o.limit_min_tokens, true);
  limit("max_tokens", o.limit_max_tokens, false);
  if (o.send_conversation_id) member("conversation_id", "\"$conversation_id\"");
  return out.empty() ? out : out + "}";
}

void add_server(words& to, const script_options& o) {
  add(to, {"--backend", upstream::backend, "--endpoint", "/v1/chat/completions", "--base-url",
           o.url, "--model", o.model, "--served-model-name", o.served_model});
  if (o.trust_remote_code) add(to, {"--trust-remote-code"});
  add(to, {"--request-timeout", std::to_string(timeout_of(o)) + "s"});
  words headers;
  if (!o.api_key.empty()) headers.push_back("Authorization=Bearer " + o.api_key);
  for (const auto& [name, value] : o.headers)
    headers.push_back(fmt::format("{}={}", name, value));
  if (headers.empty()) return;
  add(to, {"--header"});
  to.insert(to.end(), headers.begin(), headers.end());
}

void add_dataset(words& to, const script_options& o, const script_input& input,
                 const script_files& files) {
  add(to, {"--dataset-name", upstream::dataset, "--dataset-path", o.input_file, "--num-prompts",
           "-1", "--seed", std::to_string(o.seed)});
  if (o.max_turns) add(to, {"--conversations-max-turns", std::to_string(*o.max_turns)});
  if (o.limit_max_tokens > 0) {
    const std::string limit = std::to_string(o.limit_max_tokens);
    add(to, {"--conversations-min-tokens", limit, "--conversations-max-tokens", limit});
  }
  // The backend adds the recorded length unless the body has a placeholder for it.
  if (o.limit_max_tokens < 0 && o.limit_min_tokens < 0) add(to, {"--conversations-max-tokens=-1"});
  if (input.generated && wants_conversations(o)) add(to, {"--conversations-save", files.generated});
}

void add_load(words& to, const script_options& o) {
  const std::int64_t each = active_per_client(o);
  add(to, {"--max-concurrency", std::to_string(o.clients), "--max-active-conversations",
           std::to_string(o.clients * each), "--conversation-clients", std::to_string(o.clients)});
  if (o.random_sampling) add(to, {"--conversation-order", "random"});
  if (o.max_requests)
    add(to, {"--conversation-requests", std::to_string(*o.max_requests / o.clients)});
  if (o.request_rate > 0) add(to, {"--conversation-rate", base::shortest(o.request_rate)});
  if (o.max_retries > 0) add(to, {"--conversation-retries", std::to_string(o.max_retries)});
  if (o.warmup_step) add(to, {"--conversation-warm-up"});
  if (o.early_stop) add(to, {"--conversation-early-stop"});
  add(to, {"--extra-body", extra_body(o)});
  if (const std::string body = turn_body(o); !body.empty()) add(to, {"--turn-body", body});
}

/// The lines that the report repeats, as NAME=VALUE.
words parameters_of(const script_options& o, const script_input& input) {
  const auto text = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("None");
  };
  words out{"model=" + o.model, fmt::format("num_clients={}", o.clients),
            fmt::format("num_conversations={}", input.conversations),
            "active_conversations=" + text(o.max_active), fmt::format("seed={}", o.seed)};
  if (o.max_requests) out.push_back("max_num_requests=" + text(o.max_requests));
  if (o.max_turns) out.push_back("max_turns=" + text(o.max_turns));
  if (o.limit_min_tokens != 0)
    out.push_back(fmt::format("limit_min_tokens={}", o.limit_min_tokens));
  if (o.limit_max_tokens != 0)
    out.push_back(fmt::format("limit_max_tokens={}", o.limit_max_tokens));
  return out;
}

void add_report(words& to, const script_options& o, const script_input& input,
                const script_files& files) {
  std::string reporter = upstream::reporter;
  if (!o.stats_json.empty()) reporter += "=" + o.stats_json;
  add(to, {"--reporter", reporter});
  add(to, {"--multi-turn-parameters"});
  for (const std::string& line : parameters_of(o, input))
    to.push_back(line);
  if (!input.parameters.empty()) add(to, {"--multi-turn-generator-parameters"});
  for (const auto& [name, value] : input.parameters)
    to.push_back(fmt::format("{}={}", name, value));
  if (!o.warmup_step) {
    add(to, {"--multi-turn-warmup-percentages"});
    to.insert(to.end(), o.warmup_percentages.begin(), o.warmup_percentages.end());
  }
  if (o.verbose) add(to, {"--multi-turn-turn-times"});
  if (!files.excel.empty()) add(to, {"--multi-turn-excel", files.excel});
  if (!wants_conversations(o)) return;
  add(to, {"--multi-turn-conversations", input.generated ? files.generated : o.input_file});
  if (o.output_file) add(to, {"--multi-turn-answers", *o.output_file});
  if (o.verify_output) add(to, {"--multi-turn-verify"});
}

}  // namespace

bool wants_conversations(const script_options& o) noexcept {
  return o.output_file.has_value() || o.verify_output;
}

words serve_words(const script_options& options, const script_input& input,
                  const script_files& files) {
  // read_script_options() has compared the other files with each other.
  for (const named_file& each : {named_file{"--input-file", options.input_file},
                                 named_file{"--output-file", options.output_file.value_or("")},
                                 named_file{"--stats-json-output", options.stats_json}})
    require_different_files(std::array{each, named_file{"--excel-output", files.excel}});
  words out;
  add_server(out, options);
  add_dataset(out, options, input, files);
  add_load(out, options);
  add_report(out, options, input, files);
  out.insert(out.end(), options.rest.begin(), options.rest.end());
  return out;
}

std::string workbook_name(std::int64_t clients, std::int64_t unix_s) {
  const std::time_t at = unix_s;
  std::tm local{};
  ::localtime_r(&at, &local);
  std::array<char, 40> date{};
  const std::size_t size = std::strftime(date.data(), date.size(), "%d-%m-%Y_%H-%M-%S", &local);
  return fmt::format("statistics_{}_clients__{}.xlsx", clients,
                     std::string_view(date.data(), size));
}

std::vector<std::string> script_notes(const script_options& o) {
  words out;
  if (o.print_content)
    out.emplace_back("--print-content has no effect: --output-file has the texts");
  if (o.max_active && *o.max_active % o.clients != 0)
    out.push_back(fmt::format(
        "--max-active-conversations: each of {} clients has {} conversations, so {} are active at "
        "once, not {}",
        o.clients, active_per_client(o), o.clients * active_per_client(o), *o.max_active));
  if (o.warmup_step && o.warmup_percentages != words{"0%"})
    out.emplace_back("--warmup-percentages has no effect with --warmup-step");
  return out;
}

}  // namespace inferbench::multiturn

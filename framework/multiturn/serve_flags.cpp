#include "multiturn/serve_flags.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/text.hpp"
#include "options/refusal.hpp"

namespace inferbench::multiturn {

namespace {

struct set_flag {
  std::string_view serve;   // the flag of serve, without dashes
  std::string_view own;     // the flag of the script that sets it; empty: there is none
  std::string_view reason;  // why the script decides it; empty: `own` says it
};

constexpr set_flag set_flags[] = {
    {"base-url", "url", ""},
    {"host", "url", ""},
    {"port", "url", ""},
    {"dataset-path", "input-file", ""},
    {"max-concurrency", "num-clients", ""},
    {"conversation-clients", "num-clients", ""},
    {"conversation-requests", "max-num-requests", ""},
    {"conversation-rate", "request-rate", ""},
    {"conversation-retries", "max-retries", ""},
    {"conversation-order", "conversation-sampling", ""},
    {"conversation-warm-up", "warmup-step", ""},
    {"conversation-early-stop", "no-early-stop", ""},
    {"conversations-max-turns", "max-turns", ""},
    {"conversations-max-tokens", "limit-max-tokens", ""},
    {"conversations-min-tokens", "limit-max-tokens", ""},
    {"conversations-save", "", "--output-file writes the conversations with their answers"},
    {"request-timeout", "request-timeout-sec", ""},
    {"multi-turn-file", "stats-json-output", ""},
    {"multi-turn-excel", "excel-output", ""},
    {"multi-turn-answers", "output-file", ""},
    {"multi-turn-conversations", "input-file", ""},
    {"multi-turn-verify", "verify-output", ""},
    {"multi-turn-turn-times", "verbose", ""},
    {"multi-turn-warmup-percentages", "warmup-percentages", ""},
    {"multi-turn-parameters", "", "the command repeats its own flags there"},
    {"multi-turn-generator-parameters", "", "the command repeats the input file there"},
    {"dataset-name", "", "the requests are the conversations of --input-file"},
    {"num-prompts", "",
     "all conversations of --input-file are sent; --max-num-requests limits the requests"},
    {"backend", "", "conversations go to /v1/chat/completions, as those of the script do"},
    {"extra-body", "", "the script decides the seed, the temperature and the stream of requests"},
    {"temperature", "", "the script asks for the temperature 0"},
    {"turn-body", "",
     "--limit-min-tokens, --limit-max-tokens and --send-conversation-id decide what differs from "
     "turn to turn"},
    {"compare", "", "it compares results and measures nothing; use inferbench compare"},
    {"multi-turn", "", "this command is the mode for conversations"},
    {"multi-turn-concurrency", "num-clients", ""},
    {"multi-turn-delay-ms", "request-rate", ""},
};

const set_flag* set_flag_of(std::string_view serve) {
  const auto* const at = std::ranges::find(set_flags, serve, &set_flag::serve);
  return at == std::end(set_flags) ? nullptr : at;
}

}  // namespace

void refuse_contradiction(std::string_view written) {
  // --extra-body.NAME sets a member of --extra-body.
  std::string name(written.substr(0, written.find_first_of("=.")));
  std::ranges::replace(name, '_', '-');
  std::string_view bare(name);
  bare.remove_prefix(std::min(bare.find_first_not_of('-'), bare.size()));
  const set_flag* found = set_flag_of(bare);
  if (found == nullptr && bare.starts_with("no-")) found = set_flag_of(bare.substr(3));
  if (found == nullptr) return;
  if (found->own.empty())
    throw options::usage_error(fmt::format("is not for multi-turn: {}", found->reason), {},
                               {base::one_line(name), 0, 0});
  throw options::usage_error(fmt::format("is set by the flag --{}", found->own),
                             fmt::format("give --{} instead", found->own),
                             {base::one_line(name), 0, 0});
}

scripts::flag_names names_in_errors(const script_options& options) {
  scripts::flag_names out;
  for (const set_flag& each : set_flags)
    if (!each.own.empty() && each.serve != "host" && each.serve != "port")
      out.add(std::string(each.serve), std::string(each.own));
  if (!options.stats_json.empty()) out.add("reporter", "stats-json-output");
  out.keep(options.rest);
  return out;
}

}  // namespace inferbench::multiturn

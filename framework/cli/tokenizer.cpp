#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/tokenizer_lines.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/environment.hpp"
#include "services/lender.hpp"

namespace inferbench::cli {

namespace {

constexpr const char* tokenizer_usage =
    "usage: inferbench tokenizer encode|decode|count|render|info [flags]\n\n"
    "Reads lines of JSON on standard input and answers each line with one line:\n"
    "  encode  {\"text\": ...} or {\"text\": ..., \"pair\": ...} -> {\"ids\": [...], "
    "\"ids_special\": "
    "[...]}\n"
    "  decode  {\"ids\": [...]} -> {\"decoded\": ..., \"decoded_skip\": ...}\n"
    "  count   {\"text\": ...} -> {\"count\": N}\n"
    "  render  {\"messages\": [...], \"tools\": ..., \"add_generation_prompt\": ...} -> "
    "{\"rendered\": ...}\n"
    "  info    reads nothing; describes the tokenizer\n"
    "The answer to an invalid line is {\"error\": KIND, \"message\": TEXT}.\n\n"
    "--tokenizer DIR_OR_ID chooses the tokenizer; inferbench tokenizer encode --help lists the "
    "flags\n";

std::optional<cli::tokenizer_task> task_of(std::string_view name) {
  using cli::tokenizer_task;
  if (name == "encode") return tokenizer_task::encode;
  if (name == "decode") return tokenizer_task::decode;
  if (name == "count") return tokenizer_task::count;
  if (name == "render") return tokenizer_task::render;
  return std::nullopt;
}

/// Answers each line of standard input. Ends early if the reader of the answers has closed standard
/// output.
void answer_all(const services::tokenizer& by, cli::tokenizer_task task) {
  std::ios::sync_with_stdio(false);
  base::output& out = standard_output();
  std::string line;
  while (!out.failed() && std::getline(std::cin, line)) {
    out.write(cli::answer_line(by, task, line) + '\n');
    // A program that asks line by line waits for this answer; if more input is waiting, a flush is
    // not needed.
    if (std::cin.rdbuf()->in_avail() <= 0) out.flush();
  }
  if (std::cin.bad())
    throw base::error("standard input cannot be read to its end", "give it lines of JSON");
}

/// Rendering a conversation needs no vocabulary. A tokenizer that can do without one has this
/// option; for all others nothing changes.
void leave_vocabulary_out(options::plugin_choice& by) {
  options::option_value* const value = by.value_of("template-only");
  if (value == nullptr || value->type != IFB_BOOL) return;
  value->is_set = true;
  value->integer = 1;
}

}  // namespace

int tokenizer(arguments args) {
  if (args.empty()) {
    return print_usage(tokenizer_usage, true);
  }
  const auto task = task_of(args[0]);
  const bool known = task.has_value() || args[0] == "info";
  if (!known && asks_for_help(args)) {
    cli::print("{}", tokenizer_usage);
    return done;
  }
  if (!known)
    throw base::error("inferbench tokenizer does not know " + args[0],
                      "it is encode, decode, count, render or info");
  config::installed_catalog plugins;
  config::request asked =
      config::parse_tokenizer(args.subspan(1), options::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    cli::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  config::plan& plan = asked.plan;
  if (!plan.tokenizer)
    throw base::error("there is no tokenizer", "leave --skip-tokenizer-init out");
  if (task == cli::tokenizer_task::render) leave_vocabulary_out(*plan.tokenizer);
  const base::monotonic_clock clock;
  services::lender host(plan.server, plan.seed, clock, log, standard_output());
  host.create_tokenizer(plan);
  if (!task) {
    cli::print("{}\n", cli::info_line(*host.tokens(), log));
    return done;
  }
  answer_all(*host.tokens(), *task);
  return done;
}

}  // namespace inferbench::cli

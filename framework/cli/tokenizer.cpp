#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/commands.hpp"
#include "config/catalog.hpp"
#include "config/environment.hpp"
#include "config/request.hpp"
#include "run/lender.hpp"
#include "run/tokenizer_lines.hpp"

namespace inferbench::cli {

namespace {

constexpr const char* usage =
    "usage: inferbench tokenizer encode|decode|count|render|info [flags]\n\n"
    "Reads lines of JSON on standard input and answers a line each, as they come:\n"
    "  encode  {\"text\": ...} or {\"text\": ..., \"pair\": ...} -> {\"ids\": [...], "
    "\"ids_special\": "
    "[...]}\n"
    "  decode  {\"ids\": [...]} -> {\"decoded\": ..., \"decoded_skip\": ...}\n"
    "  count   {\"text\": ...} -> {\"count\": N}\n"
    "  render  {\"messages\": [...], \"tools\": ..., \"add_generation_prompt\": ...} -> "
    "{\"rendered\": ...}\n"
    "  info    reads nothing; what the tokenizer is\n"
    "What cannot be answered is {\"error\": KIND, \"message\": TEXT}.\n\n"
    "--tokenizer DIR_OR_ID says which; inferbench tokenizer encode --help lists the flags\n";

std::optional<run::tokenizer_task> task_of(std::string_view name) {
  using run::tokenizer_task;
  if (name == "encode") return tokenizer_task::encode;
  if (name == "decode") return tokenizer_task::decode;
  if (name == "count") return tokenizer_task::count;
  if (name == "render") return tokenizer_task::render;
  return std::nullopt;
}

/// True: all of the input was answered.
bool answer_all(const run::tokenizer& by, run::tokenizer_task task) {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string answer = run::answer_line(by, task, line);
    answer += '\n';
    // Whoever asks line by line waits for this one; whoever sends a file does not.
    const bool waits = std::cin.rdbuf()->in_avail() <= 0;
    if (std::fwrite(answer.data(), 1, answer.size(), stdout) != answer.size() ||
        (waits && std::fflush(stdout) != 0))
      return false;
  }
  return std::fflush(stdout) == 0;
}

}  // namespace

int tokenizer(arguments args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    fmt::print(args.empty() ? stderr : stdout, "{}", usage);
    return args.empty() ? refused : done;
  }
  const auto task = task_of(args[0]);
  if (!task && args[0] != "info")
    throw base::error("inferbench tokenizer does not know " + args[0],
                      "it is encode, decode, count, render or info");
  config::installed_catalog plugins;
  config::request asked =
      config::parse_tokenizer(args.subspan(1), config::environment::of_process(), plugins);
  if (!asked.help.empty()) {
    fmt::print("{}", asked.help);
    return done;
  }
  base::log log;
  for (const std::string& line : asked.warnings)
    log.warning(line);
  if (!asked.plan.tokenizer)
    throw base::error("there is no tokenizer", "leave --skip-tokenizer-init out");
  // A conversation needs no vocabulary.
  if (task == run::tokenizer_task::render) asked.plan.tokenizer->set_flag("template-only", true);
  const base::monotonic_clock clock;
  run::lender host(asked.plan, clock, log, stdout);
  host.create_tokenizer(asked.plan);
  if (!task) {
    fmt::print("{}\n", run::info_line(*host.tokens()));
    return done;
  }
  if (answer_all(*host.tokens(), *task)) return done;
  throw base::error("standard output takes no more");
}

}  // namespace inferbench::cli

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "options/refusal.hpp"
#include "plugin/breadcrumb.hpp"
#include "supervise/supervisor.hpp"

namespace inferbench::cli {

namespace {

constexpr command table[] = {
    {"serve", "measure a server; flags and results of `vllm bench serve`", &serve, incomplete},
    {"calibrate", "how wrong this client is under a load; flags of serve", &calibrate},
    {"run", "the same job from a TOML file", &run, incomplete},
    {"throughput", "requests and tokens per second of an engine without a server", &throughput,
     incomplete},
    {"latency", "the time of one batch, again and again", &latency, incomplete},
    {"startup", "cold and warm starts of an engine or a server", &startup, incomplete},
    {"mm-processor", "the stages of the preparation of images and videos", &mm_processor,
     incomplete},
    {"sweep", "many runs from parameter files, and plots of their results", &sweep, incomplete},
    {"find", "the largest load that meets goals, with a known error rate", &find, incomplete},
    {"compare", "which of several systems is faster, from their runs or by making them", &compare},
    {"perf", "the test definitions and comparisons of performance dashboards", &perf, incomplete},
    {"structured-output",
     "answers that follow a schema, a pattern or a list, and how many are right",
     &structured_output, incomplete},
    {"multi-turn", "conversations in several clients, and a converter for their files", &multi_turn,
     incomplete},
    {"prefix-caching", "the time for prompts with a common beginning, without a server",
     &prefix_caching, incomplete},
    {"long-document-qa", "the time for long documents that come again, without a server",
     &long_document_qa, incomplete},
    {"prioritization", "throughput of an engine with random priorities", &prioritization,
     incomplete},
    {"tune", "the server options with the highest throughput within a latency", &tune, incomplete},
    {"simulate", "an OpenAI-compatible server with known latencies", &simulate},
    {"report", "report again from the journals of runs, one or several side by side", &report},
    {"dataset", "show the samples that dataset flags yield", &dataset},
    {"tokenizer", "encode, decode, count and render chats, line by line", &tokenizer},
    {"plugin", "list, show, check or begin plugins", &plugin},
    {"docs", "every key and flag as a page", &docs},
};

constexpr command supervisor = {"supervise", "", [](arguments words) {
                                  return supervise::supervisor_main({words.begin(), words.end()});
                                }};

std::string usage() {
  std::string text = "usage: inferbench COMMAND [ARGUMENTS]\n\n";
  for (const command& c : table)
    text += fmt::format("  {:<17} {}\n", c.name, c.summary);
  text +=
      "\ninferbench COMMAND --help explains a command; inferbench --version prints the version.\n";
  return text;
}

/// Prints the error in one line and returns the exit status.
int failed(const char* what, int status) {
  tell("inferbench: " + std::string(what) + "\n");
  return status;
}

int carry_out(const command& c, arguments args) {
  try {
    return c.run(args);
  } catch (const options::usage_error& e) {
    return failed(e.what(), refused);
  } catch (const base::error& e) {
    return failed(e.what(), c.failure);
  } catch (const std::bad_alloc&) {
    return failed("out of memory", c.failure);
  } catch (const std::exception& e) {
    return failed((std::string("unexpected: ") + e.what()).c_str(), c.failure);
  }
}

int dispatch(const std::vector<std::string>& args) {
  if (args.empty()) {
    tell(usage());
    return refused;
  }
  // A sweep starts its commands through this one. It is not for users, so --help does not name it.
  if (args.front() == supervisor.name) return carry_out(supervisor, arguments(args).subspan(1));
  // Upstream's command is `vllm bench serve`.
  if (args.front() == "bench") return dispatch({args.begin() + 1, args.end()});
  const std::string& name = args.front();
  if (name == "--help" || name == "-h" || name == "help") {
    cli::print("{}", usage());
    return done;
  }
  if (name == "--version" || name == "version") {
    cli::print("inferbench {}\n", INFERBENCH_VERSION);
    return done;
  }
  std::vector<std::string> names;
  for (const command& c : table) {
    if (name == c.name) return carry_out(c, arguments(args).subspan(1));
    names.emplace_back(c.name);
  }
  const std::string meant = base::did_you_mean(name, names);
  throw base::error("unknown command " + name, meant.empty() ? "see inferbench --help" : meant);
}

/// Returns `status`, or the status of an error if some output was lost.
int delivered(int status) {
  base::output& out = standard_output();
  out.finish();
  if (!out.failed()) return status;
  const base::error lost(fmt::format("cannot write to standard output: {}",
                                     std::system_category().message(out.reason())),
                         "a part of the output is missing: send it to another place");
  failed(lost.what(), status);
  return status == refused ? refused : incomplete;
}

}  // namespace

std::span<const command> commands() { return table; }

bool asks_for_help(arguments args) {
  return std::ranges::any_of(args, [](const std::string& a) {
    return a == "--help" || a == "-h" || a.starts_with("--help=");
  });
}

int main(int argc, char** argv) {
  base::occupy_closed_streams();
  plugin::report_crashes();
  // If a server closes the connection, the write must fail with an error, which becomes part of the
  // request's record.
  std::signal(SIGPIPE, SIG_IGN);
  // A write to a file at its size limit must fail with an error, too.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return delivered(dispatch(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)));
  } catch (const std::exception& e) {
    return failed(e.what(), refused);
  }
}

}  // namespace inferbench::cli

// The request of `inferbench find`.
#include "base/text.hpp"
#include "config/command_flags.hpp"
#include "config/request.hpp"
#include "config/request_parser.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

constexpr const char* find_usage =
    "inferbench find [flags of serve] --goal GOAL... --over LOAD --between LO HI";

// The search decides these keys, or they would make the load of a run another one than that of the
// search.
struct decided_key {
  const char* path;
  const char* flag;
  const char* remedy;
};
constexpr const char* other_load =
    "leave the flag out: with it the load of a run would not be that of the search";
constexpr const char* own_results =
    "leave the flag out: the search keeps its results in its folder";
constexpr decided_key decided_keys[] = {
    {"load.request-rate", "--request-rate", other_load},
    {"load.max-concurrency", "--max-concurrency", other_load},
    {"load.multi-turn-concurrency", "--multi-turn-concurrency", other_load},
    {"load.traffic", "--traffic", other_load},
    {"load.sweep-max-concurrency", "--sweep-max-concurrency", other_load},
    {"load.sweep-request-rate", "--sweep-request-rate", other_load},
    {"load.ramp-up-strategy", "--ramp-up-strategy", other_load},
    {"dataset.num-prompts", "--num-prompts", "--max-requests limits the requests of a run"},
    {"load.duration", "--duration", "--max-time limits the time of a run"},
    {"run.num-runs", "--num-runs", "leave the flag out: the search makes one run at each load"},
    {"run.dry-run", "--dry-run", "leave the flag out: a search has to send requests"},
    {"run.journal", "--journal", own_results},
    {"run.save-result", "--save-result", own_results},
    {"run.append-result", "--append-result", own_results},
    {"thresholds.goals", "--threshold", "--goal names the goals of a search"},
};

double bound_of(const std::string& text, bool whole) {
  const auto value = base::parse_float(text);
  if (!value || !(*value > 0) || !(*value <= 1e9))
    throw options::usage_error("\"" + text + "\" is not a load above 0",
                               "write for example --between 1 100", {"--between", 0, 0});
  if (whole && *value != static_cast<double>(static_cast<std::int64_t>(*value)))
    throw options::usage_error("\"" + text + "\" is not a whole number of requests in flight",
                               "write for example --between 1 100", {"--between", 0, 0});
  return *value;
}

void refuse_decided(const request_parser& asked) {
  for (const decided_key& key : decided_keys)
    if (asked.has(key.path))
      throw options::usage_error("the search sets this itself", key.remedy, {key.flag, 0, 0});
}

}  // namespace

find_request parse_find(std::span<const std::string> args, const options::environment& env,
                        catalog& plugins) {
  request_parser asked(options::for_serve, args, env, plugins, find_usage, find_flags());
  asked.report_several_runs();
  find_request out;
  out.load = asked.parse();
  if (!out.load.help.empty()) return out;
  out.goals = asked.own("goal").list;
  if (out.goals.empty())
    throw options::usage_error("the search has no goal", "add --goal \"ttft.p99<200ms\"");
  out.over = asked.own("over").text;
  const std::vector<std::string> between = asked.own("between").list;
  if (between.size() != 2)
    throw options::usage_error("the search needs its smallest and its largest load",
                               "add --between LO HI, for example --between 1 100");
  const bool whole = out.over == "max_concurrency";
  out.low = bound_of(between[0], whole);
  out.high = bound_of(between[1], whole);
  if (!(out.low < out.high))
    throw options::usage_error("the smallest load is not below the largest",
                               "write for example --between 1 100", {"--between", 0, 0});
  refuse_decided(asked);
  out.max_probes = asked.own("max-probes").integer;
  out.max_requests = asked.own("max-requests").integer;
  out.max_time_ns = static_cast<std::uint64_t>(asked.own("max-time").integer);
  out.min_time_ns = static_cast<std::uint64_t>(asked.own("min-time").integer);
  out.alpha = asked.own("alpha").number;
  out.precision = asked.own("precision").number;
  out.assumed_correlation = asked.own("assumed-correlation").number;
  out.settle_ns = static_cast<std::uint64_t>(asked.own("settle").integer);
  out.json = asked.own("json").text;
  if (out.json == "-")
    throw options::usage_error("the result of a search goes to a file", "name a file",
                               {"--json", 0, 0});
  out.reporters = asked.named_reporters();
  return out;
}

request parse_probe(std::span<const std::string> args, std::span<const std::string> more,
                    const options::environment& env, catalog& plugins) {
  std::vector<std::string> all(args.begin(), args.end());
  all.insert(all.end(), more.begin(), more.end());
  request_parser asked(options::for_serve, all, env, plugins, find_usage, find_flags());
  asked.report_several_runs();
  return asked.parse();
}

}  // namespace inferbench::config

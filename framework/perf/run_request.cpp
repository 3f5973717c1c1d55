#include "perf/run_request.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/error.hpp"
#include "options/refusal.hpp"
#include "perf/result_tables.hpp"
#include "perf/test_definition.hpp"
#include "scripts/flag_line.hpp"
#include "sweep/command.hpp"

namespace inferbench::perf {

namespace {

constexpr std::int64_t most_prompts = 1'000'000'000;
constexpr std::int64_t largest_port = 65535;
constexpr std::size_t longest_selector = 1000;

constexpr scripts::flag_row run_flags[] = {
    {"tests-dir", 0, "", "FOLDER", "tests", "Folder with the test definitions"},
    {"result-dir", 'r', "", "FOLDER", "results",
     "Folder of the results; created if it is not there"},
    {"serving-json", 0, "SERVING_JSON", "NAME", "",
     "File of the serving tests in the folder of tests, instead of the file for this machine, such "
     "as serving-tests.json, serving-tests-hpu.json or serving-tests-cpu.json"},
    {"latency-json", 0, "LATENCY_JSON", "NAME", "", "The same for the latency tests"},
    {"startup-json", 0, "STARTUP_JSON", "NAME", "", "The same for the startup tests"},
    {"throughput-json", 0, "THROUGHPUT_JSON", "NAME", "", "The same for the throughput tests"},
    {"on-cpu", 0, "ON_CPU", "", "", "Run on the CPUs, whose devices are the NUMA nodes"},
    {"remote-host", 0, "REMOTE_HOST", "HOST", "",
     "Send the requests to a server at this host, and start none"},
    {"remote-port", 0, "REMOTE_PORT", "PORT", "8000", "Port of the server at --remote-host"},
    {"test-selector", 0, "TEST_SELECTOR", "REGEX", "",
     "Run the tests in whose names this extended regular expression is found"},
    {"dry-run", 0, "DRY_RUN", "", "", "Show the commands, and run and write nothing"},
    {"model-filter", 0, "MODEL_FILTER", "MODEL", "",
     "With --dry-run: show only the tests of this model"},
    {"dtype-filter", 0, "DTYPE_FILTER", "DTYPE", "",
     "With --dry-run: show only the tests with this dtype"},
    {"prompts-per-concurrency", 0, "PROMPTS_PER_CONCURRENCY", "N", "",
     "Send N requests for each concurrent request, instead of the number in the test"},
    {"min-num-prompts", 0, "MIN_NUM_PROMPTS", "N", "1",
     "Lower limit of the requests by --prompts-per-concurrency"},
    {"max-num-prompts", 0, "MAX_NUM_PROMPTS", "N", "1000000",
     "Upper limit of the requests by --prompts-per-concurrency"},
    {"adaptive-concurrency", 0, "ENABLE_ADAPTIVE_CONCURRENCY", "", "",
     "After the points of a rate, look for the largest concurrency within the limits of latency"},
    {"sla-ttft-ms", 0, "SLA_TTFT_MS", "MS", "3000", "Limit of the time to the first token"},
    {"sla-tpot-ms", 0, "SLA_TPOT_MS", "MS", "100", "Limit of the time per output token"},
    {"adaptive-max-probes", 0, "ADAPTIVE_MAX_PROBES", "N", "8",
     "Most points that the search adds to a rate"},
    {"adaptive-max-concurrency", 0, "ADAPTIVE_MAX_CONCURRENCY", "N", "1024",
     "Largest concurrency that the search tries"},
    {"serve-cmd", 0, "", "COMMAND", "vllm serve",
     "Command of the server, to which the model and the options of the test are added"},
    {"bench-cmd", 0, "", "COMMAND", "",
     "Command of the benchmarks, such as \"vllm bench\", to which serve, latency, startup or "
     "throughput is added; without it this program measures"},
    {"server-ready-timeout", 0, "", "SECONDS", "1200", "Longest wait for a server to be ready"},
    {"descriptions", 0, "", "FILE", "",
     "Template of the page. Default: performance-benchmarks-descriptions.md in the working folder, "
     "or the built-in template if there is no such file"},
};

std::optional<std::regex> selector_of(const scripts::flag_line& line) {
  if (!line.given("test-selector")) return std::nullopt;
  const std::string text = line.text("test-selector");
  try {
    if (text.size() > longest_selector) throw std::regex_error(std::regex_constants::error_space);
    return std::regex(text, std::regex::extended);
  } catch (const std::regex_error&) {
    throw options::usage_error(options::in_quotes(text) + " is not an extended regular expression",
                               "write for instance \"serving_.*tp1\"", {"--test-selector"});
  }
}

std::optional<prompt_rule> prompts_of(const scripts::flag_line& line) {
  prompt_rule out;
  out.least = line.whole("min-num-prompts", 1, most_prompts);
  out.most = line.whole("max-num-prompts", 1, most_prompts);
  if (out.least > out.most)
    throw options::usage_error("the lower limit " + std::to_string(out.least) +
                                   " is above the upper limit " + std::to_string(out.most),
                               {}, {"--min-num-prompts"});
  if (!line.given("prompts-per-concurrency")) return std::nullopt;
  out.per_concurrency = line.whole("prompts-per-concurrency", 1, most_prompts);
  return out;
}

std::optional<refinement_rule> refinement_of(const scripts::flag_line& line) {
  refinement_rule out;
  out.limits = {line.positive("sla-ttft-ms"), line.positive("sla-tpot-ms")};
  out.probes = static_cast<int>(line.whole("adaptive-max-probes", 0, 1000));
  out.largest_concurrency = line.whole("adaptive-max-concurrency", 1, most_prompts);
  if (!line.on("adaptive-concurrency")) return std::nullopt;
  return out;
}

std::optional<remote_server> remote_of(const scripts::flag_line& line) {
  const std::int64_t port = line.whole("remote-port", 1, largest_port);
  if (!line.given("remote-host")) return std::nullopt;
  return remote_server{line.text("remote-host"), port};
}

/// The filter, which only a dry run has. A flag that would do nothing is refused; a variable may be
/// left from a dry run before.
std::string filter_of(const scripts::flag_line& line, const char* name, run_request& request) {
  if (!line.given(name) || request.dry_run) return line.text(name);
  if (line.on_line(name))
    throw options::usage_error("works with --dry-run only", "choose tests by --test-selector",
                               {std::string("--") + name});
  request.warnings.push_back(std::string("the variable for --") + name +
                             " works in a dry run only, so all models and types run");
  return {};
}

void require_token(const options::environment& env) {
  const std::string* const token = env.find("HF_TOKEN");
  if (token == nullptr || token->empty() || token->starts_with("hf_")) return;
  throw base::error("the token in $HF_TOKEN does not begin with hf_",
                    "set it to a token of Hugging Face, or unset it if all models are public");
}

/// The converter tells the kind of a result by its path, so a word for a kind in the path of the
/// folder would give all results in it this kind.
std::string result_folder_of(const scripts::flag_line& line) {
  std::string out = line.text("result-dir");
  if (out.empty()) throw options::usage_error("the name is empty", {}, {"--result-dir"});
  if (const auto kind = kind_of_path(out); kind)
    throw options::usage_error(
        options::in_quotes(out) + " contains \"" + std::string(name_of(*kind)) +
            "\", and the converter would take results of other kinds for this kind, because it "
            "tells the kind by the path",
        "choose a path without the words serving, latency and throughput", {"--result-dir"});
  return out;
}

std::string file_name_of(const scripts::flag_line& line, const char* name) {
  std::string out = line.text(name);
  if (line.given(name) && out.empty())
    throw options::usage_error("the name is empty", {}, {std::string("--") + name});
  return out;
}

}  // namespace

std::int64_t prompt_rule::prompts(std::int64_t concurrency) const {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max() / per_concurrency;
  return concurrency > largest ? most : std::clamp(concurrency * per_concurrency, least, most);
}

bool run_request::selects(const std::string& test) const {
  return !selector || std::regex_search(test, *selector);
}

run_request parse_run(std::span<const std::string> args, const options::environment& env) {
  const scripts::flag_line line(run_flags, args, env);
  run_request out;
  if (line.asks_for_help()) {
    out.help = scripts::flags_help(
        "inferbench perf run [FLAG]...",
        "Run the test definitions of a performance dashboard, and make the page "
        "and the rows of their results. A flag comes before the variable of the "
        "environment that its text names.",
        run_flags);
    return out;
  }
  out.tests_folder = line.text("tests-dir");
  out.result_folder = result_folder_of(line);
  out.serving_file = file_name_of(line, "serving-json");
  out.latency_file = file_name_of(line, "latency-json");
  out.startup_file = file_name_of(line, "startup-json");
  out.throughput_file = file_name_of(line, "throughput-json");
  out.on_cpu = line.on("on-cpu");
  out.dry_run = line.on("dry-run");
  out.remote = remote_of(line);
  out.selector = selector_of(line);
  out.model_filter = filter_of(line, "model-filter", out);
  out.dtype_filter = filter_of(line, "dtype-filter", out);
  out.prompts = prompts_of(line);
  out.refinement = refinement_of(line);
  out.serve_command = sweep::split_words(line.text("serve-cmd"), "--serve-cmd");
  if (line.given("bench-cmd"))
    out.bench_command = sweep::split_words(line.text("bench-cmd"), "--bench-cmd");
  out.ready_timeout_s =
      static_cast<std::uint64_t>(line.whole("server-ready-timeout", 1, 1'000'000));
  if (line.given("descriptions")) out.descriptions = line.text("descriptions");
  if (!out.dry_run) require_token(env);
  return out;
}

}  // namespace inferbench::perf

#include "compare/compare_request.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/command_echo.hpp"
#include "config/flag_table.hpp"
#include "config/flags.hpp"
#include "config/help.hpp"
#include "config/keys.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/option.hpp"
#include "options/refusal.hpp"
#include "sweep/command.hpp"

namespace inferbench::compare {

namespace {

using options::option;
using options::usage_error;

constexpr const char* usage_line =
    "inferbench compare BASE NEW... [flags]\n"
    "       inferbench compare --run BASE.toml NEW.toml [--blocks N] "
    "[flags]\n\n"
    "Says which runs are faster, with a known error rate: the runs of BASE "
    "against those of each\n"
    "other argument. An argument is a folder of runs (result files of "
    "inferbench or vllm bench, "
    "or\n"
    "journals), one file for each run; files with \",\" between them are one "
    "argument. With --run\n"
    "the program makes the runs itself, in blocks of four: BASE NEW NEW BASE";

constexpr double largest_margin = 0.5;
constexpr double most_figures = 100;
constexpr double most_blocks = 10'000;
constexpr double longest_settle_ns = 3.6e12;  // an hour

option flag_of(std::string name, ifb_type type, std::string help, std::string value_name = {},
               const char* group = "comparison") {
  option out;
  out.flag = std::move(name);
  out.type = type;
  out.help = std::move(help);
  out.value_name = std::move(value_name);
  out.group = group;
  if (type == IFB_BOOL) out.takes = options::arity::none;
  return out;
}

std::vector<option> compare_flags() {
  constexpr const char* of_runs = "runs";
  std::vector<option> out;
  option metric = flag_of("metric", IFB_STRINGS,
                          "Figure to compare, such as ttft.p99, p99_ttft_ms or "
                          "output_throughput; may be given several times, also with \",\" between "
                          "figures. Each further figure makes all differences harder to prove. "
                          "Default: output_throughput, ttft.p50, ttft.p99 and tpot.p50",
                          "FIGURE");
  metric.accumulates = true;
  out.push_back(std::move(metric));
  out.push_back(flag_of("same-within", IFB_STRING,
                        "Largest difference that still counts as none (default 2%)", "SHARE"));
  out.push_back(flag_of("gate", IFB_BOOL,
                        "Exit with 5 if a group is slower than BASE, else with 6 if the runs "
                        "cannot tell"));
  out.push_back(flag_of("json", IFB_PATH, "Write the comparison to this file", "FILE"));
  option reporter = flag_of("reporter", IFB_STRINGS,
                            "Give all runs and the comparison to this reporter of several runs; "
                            "may be given several times",
                            "NAME[=FILE]");
  reporter.accumulates = true;
  out.push_back(std::move(reporter));
  option blocks = flag_of("blocks", IFB_INT,
                          "With --run the number of blocks (default 8). Without --run: the runs "
                          "of two groups were made in N blocks BASE NEW NEW BASE",
                          "N");
  blocks.minimum = 1;
  blocks.maximum = most_blocks;
  out.push_back(std::move(blocks));
  out.push_back(flag_of("run", IFB_BOOL,
                        "Make the runs: the two arguments are files of inferbench run", {},
                        of_runs));
  option set = flag_of("set", IFB_STRINGS,
                       "Override a key of both files; may be given several "
                       "times",
                       "TABLE.KEY=VALUE", of_runs);
  set.accumulates = true;
  out.push_back(std::move(set));
  out.push_back(flag_of("result-dir", IFB_PATH,
                        "Folder of the results (default results/compare- and the local time)",
                        "DIR", of_runs));
  out.push_back(flag_of("resume", IFB_BOOL,
                        "Continue the comparison in --result-dir; finished runs are not repeated",
                        {}, of_runs));
  out.push_back(
      flag_of("show-stdout", IFB_BOOL, "Show the standard output of the runs", {}, of_runs));
  option settle = flag_of("settle", IFB_DURATION,
                          "Wait before each run if a server does not tell whether it is idle "
                          "(default 2s)",
                          "TIME", of_runs);
  settle.maximum = longest_settle_ns;
  out.push_back(std::move(settle));
  out.push_back(flag_of("help", IFB_BOOL, "Show this text", {}, "general"));
  return out;
}

/// The values of the flags that were given.
class compare_line {
 public:
  compare_line(const std::vector<option>& known, const config::command_line& line,
               const options::environment& env)
      : known_(known), line_(line), env_(env) {}

  [[nodiscard]] bool given(std::string_view name) const { return line_.find(name) != nullptr; }
  [[nodiscard]] options::option_value value(std::string_view name) const {
    const config::given_flag* found = line_.find(name);
    if (found == nullptr) return {};
    const option& declared = *std::ranges::find(known_, name, &option::flag);
    return options::check(
        declared, options::node_of_text(declared, found->values, {"--" + std::string(name), 0, 0}),
        env_);
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const {
    const config::given_flag* found = line_.find(name);
    return found == nullptr ? std::vector<std::string>{} : found->values;
  }
  [[nodiscard]] bool on(std::string_view name) const { return value(name).integer != 0; }

 private:
  const std::vector<option>& known_;
  const config::command_line& line_;
  const options::environment& env_;
};

/// "2%", "0.02"
double share_of(const std::string& text) {
  std::string_view number = base::trim(text);
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  const auto found = base::parse_float(base::trim(number));
  const double out = found ? *found / (percent ? 100 : 1) : -1;
  if (!(out > 0 && out <= largest_margin))
    throw usage_error(
        options::in_quotes(base::one_line(text)) + " is not a share above 0 and at most 50%",
        "write for example 2% or 0.02", {"--same-within", 0, 0});
  return out;
}

std::vector<declared_figure> declared_in(const std::vector<std::string>& texts) {
  std::vector<declared_figure> out;
  for (const std::string& text : texts)
    for (const std::string_view each : base::split(text, ',')) {
      declared_figure one = figure_of(each);
      if (std::ranges::find(out, one.name, &declared_figure::name) != out.end())
        throw usage_error("the figure " + one.name + " is declared twice", "declare it once",
                          {"--metric", 0, 0});
      out.push_back(std::move(one));
    }
  if (static_cast<double>(out.size()) > most_figures)
    throw usage_error("more than 100 figures are declared", {}, {"--metric", 0, 0});
  return out;
}

void refuse_misuse(const compare_request& of, const compare_line& line) {
  if (!of.makes_runs)
    for (const char* name : {"set", "result-dir", "resume", "show-stdout", "settle"})
      if (line.given(name))
        throw usage_error("needs --run", "without it, compare reads runs and makes none",
                          {std::string("--") + name, 0, 0});
  if (of.resume && of.result_dir.empty())
    throw usage_error("needs the folder of the comparison", "add --result-dir DIR",
                      {"--resume", 0, 0});
  if (of.makes_runs && of.arguments.size() != 2)
    throw usage_error(fmt::format("takes two files of inferbench run, not {}", of.arguments.size()),
                      "write --run BASE.toml NEW.toml", {"--run", 0, 0});
  // The standard output has the text of the comparison.
  if (line.given("json") && (of.json.empty() || of.json == "-"))
    throw usage_error("needs a file", "write for example --json comparison.json", {"--json", 0, 0});
  if (of.arguments.empty())
    throw usage_error("nothing to compare is named",
                      "name two folders with results: inferbench compare base/ new/");
}

/// The words for a shell, each after a blank.
std::string line_without_secrets(std::span<const std::string> args,
                                 const std::vector<std::string>& sets) {
  const std::vector<options::option> keys = config::host_keys();
  constexpr std::string_view joined = "--set=";
  std::string out;
  for (std::string word : sweep::without_secrets({args.begin(), args.end()})) {
    const bool is_joined = word.starts_with(joined);
    const std::string text = is_joined ? word.substr(joined.size()) : word;
    if (is_joined || std::ranges::find(sets, text) != sets.end())
      word = (is_joined ? std::string(joined) : "") + config::set_without_secret(text, keys);
    out += " " + base::shell_word(word);
  }
  return out;
}

}  // namespace

compare_request parse_compare(std::span<const std::string> args, const options::environment& env) {
  const std::vector<option> known = compare_flags();
  config::flag_table table;
  for (const option& each : known)
    table.add(each);
  const config::command_line line = config::parse_flags(args, table.flags(), true);
  compare_request out;
  const config::given_flag* help = line.find("help");
  if (help != nullptr || std::ranges::find(line.unknown, "-h") != line.unknown.end()) {
    const std::string topic = help == nullptr ? "true" : help->values.front();
    out.help = config::help_text(usage_line, known, topic == "true" ? std::string_view{} : topic);
    return out;
  }
  if (!line.unknown.empty()) {
    const std::string meant = base::did_you_mean(line.unknown.front(), table.names());
    throw usage_error("unknown flag " + base::one_line(line.unknown.front()),
                      meant.empty() ? "inferbench compare --help lists all" : meant);
  }
  const compare_line values(known, line, env);
  out.arguments = line.positional;
  out.declared = declared_in(values.list("metric"));
  if (values.given("same-within")) out.same_within = share_of(values.value("same-within").text);
  out.gate = values.on("gate");
  out.json = values.value("json").text;
  out.reporters = values.list("reporter");
  if (values.given("blocks")) out.blocks = static_cast<std::size_t>(values.value("blocks").integer);
  if (values.given("settle"))
    out.settle_ns = static_cast<std::uint64_t>(values.value("settle").integer);
  out.makes_runs = values.on("run");
  out.sets = values.list("set");
  out.result_dir = values.value("result-dir").text;
  out.resume = values.on("resume");
  out.show_stdout = values.on("show-stdout");
  out.warnings = line.warnings;
  out.line = "inferbench compare";
  out.line += line_without_secrets(args, out.sets);
  refuse_misuse(out, values);
  return out;
}

}  // namespace inferbench::compare

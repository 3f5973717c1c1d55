#include "sweep/request.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"
#include "sweep/command.hpp"
#include "sweep/find_command.hpp"
#include "sweep/parameter_file.hpp"
#include "sweep/runnable.hpp"

namespace inferbench::sweep {

namespace {

constexpr int most_runs = 1'000'000;
constexpr int most_levels = 1'000'000;
constexpr int longest_wait_s = 100'000'000;  // three years; a clock in nanoseconds can hold it

/// The values of a command line, checked.
class sweep_values {
 public:
  explicit sweep_values(const sweep_line& line) : line_(line) {}

  [[nodiscard]] bool has(std::string_view name) const { return line_.find(name) != nullptr; }

  /// The text of the flag, which must not be empty; `otherwise` if it was not given.
  [[nodiscard]] std::string text(std::string_view name, std::string otherwise) const {
    const std::string* given = line_.find(name);
    if (given == nullptr) return otherwise;
    if (given->empty())
      throw options::usage_error("needs a value that is not empty", {}, {flag(name)});
    return *given;
  }

  [[nodiscard]] std::vector<std::string> required_command(std::string_view name) const {
    if (!has(name))
      throw options::usage_error("is required", "give the command in quotes", {flag(name)});
    return split_words(*line_.find(name), flag(name));
  }

  [[nodiscard]] int whole(std::string_view name, int otherwise, int least, int most) const {
    const std::string* given = line_.find(name);
    if (given == nullptr) return otherwise;
    const auto value = pytext::python_int(*given);
    if (!value)
      throw options::usage_error(quoted(*given) + " is not a whole number", {}, {flag(name)});
    if (*value < least || *value > most)
      throw base::error("must be a whole number from " + std::to_string(least) + " to " +
                            std::to_string(most) + ", not " + std::to_string(*value),
                        {}, {flag(name)});
    return static_cast<int>(*value);
  }

  [[nodiscard]] std::string choice(std::string_view name, std::span<const std::string> of) const {
    const std::string* given = line_.find(name);
    if (given == nullptr || std::ranges::find(of, *given) != of.end())
      return given == nullptr ? of.front() : *given;
    const std::string hint = base::did_you_mean(*given, of);
    throw options::usage_error(
        fmt::format("{} is not one of {}", quoted(*given), fmt::join(of, ", ")),
        hint.empty() ? "choose one of them" : hint, {flag(name)});
  }

  [[nodiscard]] std::vector<item> items(std::string_view name) const {
    if (!has(name)) return {item()};
    return read_parameters(text(name, {}));
  }

 private:
  static std::string flag(std::string_view name) { return "--" + std::string(name); }
  static std::string quoted(const std::string& text) { return "\"" + base::one_line(text) + "\""; }

  const sweep_line& line_;
};

/// Sets --resume and the name of the experiment.
void name_experiment(plan& into, const sweep_values& values, const sweep_line& line,
                     std::time_t start) {
  into.resume = values.has("resume");
  const std::string given = values.text("experiment-name", {});
  std::string to_resume;
  for (const sweep_flag_value& flag : line.flags)
    if (flag.name == "resume" && !flag.text.empty()) to_resume = flag.text;
  if (!given.empty() && !to_resume.empty() && given != to_resume)
    throw options::usage_error("names another experiment than --experiment-name",
                               "give the name once", {"--resume"});
  into.experiment = given.empty() ? to_resume : given;
  if (!into.experiment.empty()) return;
  if (into.resume)
    throw base::error("needs the name of an experiment",
                      "add --experiment-name NAME; the line \"Experiment has been saved at\" and "
                      "the folders in " +
                          into.output_dir + " have the names",
                      {"--resume"});
  into.experiment = experiment_name(start);
}

constexpr std::array<std::string_view, 4> certified_flags{"sla-between", "sla-max-requests",
                                                          "sla-max-time", "sla-max-probes"};
// A certified search decides the number of its runs, and each run discards a warm-up of its own.
constexpr std::array<std::string_view, 2> flags_of_levels{"num-runs", "warmup-num-prompts"};

/// The settings of a certified search, which become flags of `inferbench find`.
void read_certified(plan& into, const sweep_values& values) {
  const auto refuse = [&](std::span<const std::string_view> names, const char* problem,
                          const char* remedy) {
    for (const std::string_view name : names)
      if (values.has(name)) throw options::usage_error(problem, remedy, {"--" + std::string(name)});
  };
  if (into.search != sla_search::certified)
    return refuse(certified_flags, "belongs to the certified search", "add --sla-search certified");
  refuse(flags_of_levels, "has no meaning for the certified search",
         "leave it out: the search decides its runs, and each run begins with a warm-up");
  into.num_runs = 1;
  require_own_tables(into.reporters, into, "--reporter");
  const std::string between = values.text("sla-between", {});
  const std::vector<std::string> bounds =
      between.empty() ? std::vector<std::string>() : split_words(between, "--sla-between");
  if (bounds.size() != 2)
    throw options::usage_error("the certified search needs its smallest and its largest load",
                               "write for example --sla-between 1 100", {"--sla-between"});
  find_flags limits{"--over", into.variable, "--between", bounds[0], bounds[1]};
  for (const std::string_view name : certified_flags) {
    if (name == certified_flags.front() || !values.has(name)) continue;
    limits.push_back("--" + std::string(name.substr(std::string_view("sla-").size())));
    limits.push_back(values.text(name, {}));
  }
  into.bench_command = as_find(into.bench_command, limits);
  for (const link& each : into.links)
    if (each.bench_key == into.variable)
      throw base::error("the certified search sets " + into.variable + " of the link " +
                            each.serve_key + "=" + each.bench_key,
                        "remove the link", {"--link-vars"});
}

void read_levels(plan& into, const sweep_values& values) {
  static const std::array<std::string, 2> variables{"request_rate", "max_concurrency"};
  static const std::array<std::string, 3> searches{"spline", "binary", "certified"};
  if (into.does == kind::workload) {
    into.variable = values.choice("workload-var", variables);
    into.workload_iters = values.whole("workload-iters", into.workload_iters, 2, most_levels);
  }
  if (into.does == kind::sla) {
    if (!values.has("sla-params"))
      throw options::usage_error("is required", "give the file with the criteria",
                                 {"--sla-params"});
    into.variable = values.choice("sla-variable", variables);
    const std::string search = values.choice("sla-search", searches);
    into.search = search == "spline"   ? sla_search::spline
                  : search == "binary" ? sla_search::binary
                                       : sla_search::certified;
    into.sla_sets = read_sla_sets(values.text("sla-params", {}));
    read_certified(into, values);
  }
}

void read_commands(plan& into, const sweep_values& values) {
  into.serve_command = values.required_command("serve-cmd");
  into.bench_command = values.required_command("bench-cmd");
  if (values.has("after-bench-cmd")) into.after_bench = values.required_command("after-bench-cmd");
  into.ready_timeout_s = static_cast<std::uint64_t>(values.whole(
      "server-ready-timeout", static_cast<int>(into.ready_timeout_s), 0, longest_wait_s));
}

/// The combinations of a sweep of starts, without the parameters that are not applied.
void read_startup_items(plan& into, const sweep_values& values, const startup_benchmark& of) {
  into.serve_items = values.items("serve-params");
  into.bench_items = values.items("startup-params");
  std::set<std::string> own;
  if (of.options)
    own = of.options(into.bench_command, backends_in(into.serve_items, into.bench_items));
  for (std::vector<item>* const items : {&into.serve_items, &into.bench_items}) {
    startup_items kept = with_startup_parameters(*items, own, values.has("strict-params"));
    *items = std::move(kept.items);
    for (std::string& each : kept.left_out)
      into.notes.push_back(std::move(each));
  }
}

/// The command of the user, without passwords and keys.
std::string command_of(kind which, const sweep_line& line) {
  std::string out = "inferbench sweep " + std::string(command_name(which));
  for (const sweep_flag_value& flag : line.flags) {
    out += " --" + std::string(flag.name);
    std::string text = ifb::without_password(flag.text);
    if (flag.name.ends_with("-cmd")) {
      const std::vector<std::string> words =
          without_secrets(split_words(flag.text, "--" + std::string(flag.name)));
      text = fmt::format("{}", fmt::join(words | std::views::transform(base::shell_word), " "));
    }
    if (!flag.text.empty()) out += (text.starts_with('-') ? "=" : " ") + base::shell_word(text);
  }
  return out;
}

}  // namespace

sweep_request parse_sweep(kind which, std::span<const std::string> args, std::time_t start,
                          const startup_benchmark& startup) {
  const sweep_line line = read_sweep_flags(which, args);
  sweep_request out;
  if (line.help) {
    out.help = sweep_help(which);
    return out;
  }
  const sweep_values values(line);
  plan& into = out.plan;
  into.does = which;
  const bool of_starts = which == kind::startup;
  if (!of_starts) {
    read_commands(into, values);
  } else {
    into.bench_command =
        values.has("startup-cmd") ? values.required_command("startup-cmd") : startup.command;
    into.num_runs = 1;
  }
  into.show_stdout = values.has("show-stdout");
  if (const std::string* links = line.find("link-vars")) into.links = parse_links(*links);
  into.output_dir = values.text("output-dir", into.output_dir);
  name_experiment(into, values, line, start);
  into.num_runs = values.whole("num-runs", into.num_runs, 1, most_runs);
  into.warmup_prompts = values.whole("warmup-num-prompts", 0, 0, std::numeric_limits<int>::max());
  into.dry_run = values.has("dry-run");
  into.continue_on_error = values.has("continue-on-error");
  for (const sweep_flag_value& flag : line.flags) {
    if (flag.name != "reporter") continue;
    if (flag.text.empty() || flag.text.front() == '=')
      throw options::usage_error("needs the name of a reporter", "write NAME or NAME=FILE",
                                 {"--reporter"});
    into.reporters.push_back(flag.text);
  }
  into.command_line = command_of(which, line);
  if (of_starts) {
    read_startup_items(into, values, startup);
  } else {
    into.serve_items = values.items("serve-params");
    into.bench_items = values.items("bench-params");
  }
  read_levels(into, values);
  require_runnable(into);
  return out;
}

std::string experiment_name(std::time_t start) {
  std::tm local{};
  if (::localtime_r(&start, &local) == nullptr)
    throw base::error("the time of the start is no date", "give --experiment-name");
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%d_%H%M%S", &local);
  return {text.data(), length};
}

}  // namespace inferbench::sweep

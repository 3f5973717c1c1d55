#include "sweep/request.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"
#include "sweep/command.hpp"
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
    std::string all;
    for (const std::string& each : of)
      all += (all.empty() ? "" : ", ") + each;
    const std::string hint = base::did_you_mean(*given, of);
    throw options::usage_error(quoted(*given) + " is not one of " + all,
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

void read_levels(plan& into, const sweep_values& values) {
  static const std::array<std::string, 2> variables{"request_rate", "max_concurrency"};
  static const std::array<std::string, 2> searches{"spline", "binary"};
  if (into.does == kind::workload) {
    into.variable = values.choice("workload-var", variables);
    into.workload_iters = values.whole("workload-iters", into.workload_iters, 2, most_levels);
  }
  if (into.does == kind::sla) {
    if (!values.has("sla-params"))
      throw options::usage_error("is required", "give the file with the criteria",
                                 {"--sla-params"});
    into.variable = values.choice("sla-variable", variables);
    into.search =
        values.choice("sla-search", searches) == "spline" ? sla_search::spline : sla_search::binary;
    into.sla_sets = read_sla_sets(values.text("sla-params", {}));
  }
}

/// The command of the user, without passwords and keys.
std::string command_of(kind which, const sweep_line& line) {
  std::string out = "inferbench sweep " + std::string(command_name(which));
  for (const sweep_flag_value& flag : line.flags) {
    out += " --" + std::string(flag.name);
    std::string text = ifb::without_password(flag.text);
    if (flag.name.ends_with("-cmd")) {
      text.clear();
      for (const std::string& word :
           without_secrets(split_words(flag.text, "--" + std::string(flag.name))))
        text += (text.empty() ? "" : " ") + base::shell_word(word);
    }
    if (!flag.text.empty()) out += (text.starts_with('-') ? "=" : " ") + base::shell_word(text);
  }
  return out;
}

}  // namespace

sweep_request parse_sweep(kind which, std::span<const std::string> args, std::time_t start) {
  const sweep_line line = read_sweep_flags(which, args);
  sweep_request out;
  if (line.help) {
    out.help = sweep_help(which);
    return out;
  }
  const sweep_values values(line);
  plan& into = out.plan;
  into.does = which;
  into.serve_command = values.required_command("serve-cmd");
  into.bench_command = values.required_command("bench-cmd");
  if (values.has("after-bench-cmd")) into.after_bench = values.required_command("after-bench-cmd");
  into.show_stdout = values.has("show-stdout");
  into.ready_timeout_s = static_cast<std::uint64_t>(values.whole(
      "server-ready-timeout", static_cast<int>(into.ready_timeout_s), 0, longest_wait_s));
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
  into.serve_items = values.items("serve-params");
  into.bench_items = values.items("bench-params");
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

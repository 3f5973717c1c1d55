#include "sweep/sweep_flags.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "sweep/sweep_flag_table.hpp"

namespace inferbench::sweep {

namespace {

// The name of a flag without its dashes and with "-" for "_".
std::string plain_name(std::string_view written) {
  std::string out(written.substr(2));
  std::ranges::replace(out, '_', '-');
  return out;
}

// Whether a token is a flag and not a value: argparse takes numbers and texts with blanks for
// values.
bool is_flag(std::string_view token) {
  return token.size() > 1 && token.front() == '-' && !base::parse_float(token) &&
         token.find(' ') == std::string_view::npos;
}

[[noreturn]] void unknown_flag(kind which, std::string_view written) {
  const std::string name = written.starts_with("--") ? plain_name(written) : std::string(written);
  std::vector<std::string> names;
  for (const sweep_flag& each : all_sweep_flags()) {
    if (belongs(each, which) && each.help != nullptr)
      names.push_back("--" + std::string(each.name));
    for (const kind other : {kind::serve, kind::workload, kind::sla, kind::startup})
      if (name == each.name && belongs(each, other))
        throw options::usage_error("no such option of sweep " + std::string(command_name(which)),
                                   "it belongs to sweep " + std::string(command_name(other)),
                                   {std::string(written)});
  }
  const std::string hint = base::did_you_mean("--" + name, names);
  throw options::usage_error(
      "no such option",
      hint.empty() ? "see inferbench sweep " + std::string(command_name(which)) + " --help" : hint,
      {std::string(written)});
}

class sweep_line_reader {
 public:
  sweep_line_reader(kind which, std::span<const std::string> args) : which_(which), args_(args) {}

  sweep_line read() {
    while (!out_.help && next_ < args_.size()) {
      const std::string& token = args_[next_++];
      if (token.starts_with("--") && token.size() > 2)
        read_long(token);
      else if (is_flag(token))
        read_short(token);
      else
        throw options::usage_error("\"" + base::one_line(token) + "\" is not an option",
                                   "write options as --name value, and a value with blanks in "
                                   "quotes");
    }
    return std::move(out_);
  }

 private:
  void read_long(const std::string& token) {
    const auto equals = token.find('=');
    const std::string written = token.substr(0, equals);
    const sweep_flag& flag = flag_of(written);
    std::optional<std::string> text;
    if (equals != std::string::npos) text = token.substr(equals + 1);
    take(flag, "--" + std::string(flag.name), std::move(text));
  }

  // -o FOLDER, -oFOLDER and -o=FOLDER
  void read_short(const std::string& token) {
    const auto flags = all_sweep_flags();
    const auto flag = std::ranges::find_if(
        flags, [&](const sweep_flag& each) { return each.letter != 0 && each.letter == token[1]; });
    if (flag == flags.end()) unknown_flag(which_, token);
    const std::string written = token.substr(0, 2);
    std::optional<std::string> text;
    if (token.size() > 2) text = token.substr(token[2] == '=' ? 3 : 2);
    take(*flag, written, std::move(text));
  }

  const sweep_flag& flag_of(const std::string& written) const {
    const std::string name = plain_name(written);
    std::vector<const sweep_flag*> could;
    for (const sweep_flag& each : all_sweep_flags()) {
      if (!belongs(each, which_)) continue;
      if (name == each.name) return each;
      if (!name.empty() && std::string_view(each.name).starts_with(name)) could.push_back(&each);
    }
    if (could.empty()) unknown_flag(which_, written);
    if (could.size() == 1) return *could.front();
    std::string names;
    for (const sweep_flag* each : could)
      names += (names.empty() ? "--" : ", --") + std::string(each->name);
    throw options::usage_error("could be " + names, "write it out", {written});
  }

  // `text`: the text behind "=".
  void take(const sweep_flag& flag, const std::string& written, std::optional<std::string> text) {
    if (flag.value == takes::nothing && text)
      throw options::usage_error("takes no value", "leave out \"=" + *text + "\"", {written});
    if (std::string_view(flag.name) == "config")
      throw options::usage_error("YAML files are not read here",
                                 "give the options on the command line, or write a table [sweep] "
                                 "in a TOML file for inferbench run",
                                 {written});
    const bool follows = next_ < args_.size() && !is_flag(args_[next_]);
    if (flag.value != takes::nothing && !text && follows) text = args_[next_++];
    if (flag.value == takes::two_texts && text && next_ < args_.size() && !is_flag(args_[next_]))
      *text += " " + args_[next_++];
    if ((flag.value == takes::text || flag.value == takes::two_texts) && !text)
      throw options::usage_error(
          "a value is missing",
          "give it as --" + std::string(flag.name) + "=VALUE if it begins with a dash", {written});
    out_.help = out_.help || flag.letter == 'h';
    out_.flags.push_back({flag.name, text.value_or(std::string())});
  }

  kind which_;
  std::span<const std::string> args_;
  std::size_t next_ = 0;
  sweep_line out_;
};

constexpr std::string_view summary_of(kind which) {
  switch (which) {
    case kind::serve:
      return "Run a benchmark with every combination of the server's and the benchmark's "
             "parameters.";
    case kind::workload:
      return "Explore the loads between serial and batch inference, for every combination of "
             "parameters.";
    case kind::sla:
      return "Find the largest load that meets criteria, for every combination of parameters.";
    case kind::startup: return "Measure cold and warm starts for every combination of parameters.";
  }
  return {};
}

}  // namespace

std::string_view command_name(kind which) {
  switch (which) {
    case kind::serve: return "serve";
    case kind::workload: return "serve_workload";
    case kind::sla: return "serve_sla";
    case kind::startup: return "startup";
  }
  return {};
}

const char* benchmark_flag(kind which) {
  return which == kind::startup ? "--startup-cmd" : "--bench-cmd";
}

const std::string* sweep_line::find(std::string_view name) const {
  const auto last = std::ranges::find(flags.rbegin(), flags.rend(), name, &sweep_flag_value::name);
  return last == flags.rend() ? nullptr : &last->text;
}

sweep_line read_sweep_flags(kind which, std::span<const std::string> args) {
  return sweep_line_reader(which, args).read();
}

std::string sweep_help(kind which) {
  constexpr std::size_t indent = 32;
  constexpr std::size_t width = 100;
  std::string out = "Usage: inferbench sweep " + std::string(command_name(which)) +
                    (which == kind::startup ? "" : " --serve-cmd COMMAND --bench-cmd COMMAND") +
                    (which == kind::sla ? "\n           --sla-params FILE" : "") +
                    " [OPTION]...\n" + std::string(summary_of(which)) + "\n\n";
  for (const sweep_flag& each : all_sweep_flags()) {
    if (!belongs(each, which) || each.help == nullptr) continue;
    std::string left = each.letter == 0 ? "  " : std::string("  -") + each.letter + ", ";
    left += std::string("--") + each.name;
    if (each.value_name != nullptr) left += std::string(" ") + each.value_name;
    out += base::help_row(std::move(left), each.help, indent, width);
  }
  return out;
}

}  // namespace inferbench::sweep

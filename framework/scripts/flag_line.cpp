#include "scripts/flag_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::scripts {

namespace {

constexpr std::size_t help_width = 96;

std::string flag_spelling(std::string_view name) { return "--" + std::string(name); }

/// "  -r, --result FOLDER"
std::string help_heading(const flag_row& row) {
  std::string out = "  ";
  if (row.letter != 0) out += fmt::format("-{}, ", row.letter);
  out += flag_spelling(row.name);
  if (!row.value.empty()) out += " " + std::string(row.value);
  return out + "\n";
}

std::string help_paragraph(const flag_row& row) {
  std::string words(row.help);
  if (!row.variable.empty()) words += fmt::format("; ${}", row.variable);
  if (!row.fallback.empty()) words += fmt::format(" (default {})", row.fallback);
  return base::help_row("", words, 6, help_width);
}

}  // namespace

flag_line::flag_line(std::span<const flag_row> table, std::span<const std::string> args,
                     const options::environment& env)
    : table_(table) {
  help_ =
      std::ranges::any_of(args, [](const std::string& a) { return a == "--help" || a == "-h"; });
  if (help_) return;
  read_line(args);
  for (const flag_row& row : table_) {
    if (row.variable.empty() || given_.contains(row.name)) continue;
    const std::string* const value = env.find(row.variable);
    if (value == nullptr || value->empty()) continue;
    // Upstream compares with 1, so 0 and any other text are off.
    if (row.value.empty() && *value != "1") continue;
    given_.emplace(row.name, setting{*value, "$" + std::string(row.variable), false});
  }
}

void flag_line::read_line(std::span<const std::string> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg.size() < 2 || arg.front() != '-')
      throw options::usage_error("unexpected argument " + options::in_quotes(arg),
                                 "--help lists all flags");
    const bool is_long = arg.starts_with("--");
    const std::size_t equals = is_long ? arg.find('=') : std::string::npos;
    const flag_row& row = row_of(arg.substr(0, equals));
    setting value{{}, flag_spelling(row.name), true};
    if (row.value.empty()) {
      if (equals != std::string::npos)
        throw options::usage_error("takes no value", {}, {value.source});
    } else if (equals != std::string::npos) {
      value.text = arg.substr(equals + 1);
    } else {
      if (i + 1 == args.size() || args[i + 1].starts_with("--"))
        throw options::usage_error(
            "needs a value", fmt::format("write {} {}", value.source, row.value), {value.source});
      value.text = args[++i];
    }
    given_.insert_or_assign(std::string(row.name), std::move(value));
  }
}

const flag_row& flag_line::row_of(const std::string& written) const {
  std::string name = written;
  std::ranges::replace(name, '_', '-');
  std::vector<std::string> names;
  for (const flag_row& row : table_) {
    if (name == flag_spelling(row.name)) return row;
    if (row.letter != 0 && name == std::string("-") + row.letter) return row;
    names.push_back(flag_spelling(row.name));
  }
  const std::string meant = base::did_you_mean(name, names);
  throw options::usage_error("unknown flag " + base::one_line(written),
                             meant.empty() ? "--help lists all flags" : meant);
}

bool flag_line::on_line(std::string_view name) const {
  const auto at = given_.find(name);
  return at != given_.end() && at->second.from_line;
}

bool flag_line::given(std::string_view name) const { return given_.contains(name); }

bool flag_line::on(std::string_view name) const { return given(name); }

flag_line::setting flag_line::effective(std::string_view name) const {
  if (const auto at = given_.find(name); at != given_.end()) return at->second;
  const auto row = std::ranges::find(table_, name, &flag_row::name);
  return {std::string(row->fallback), flag_spelling(name), false};
}

std::string flag_line::text(std::string_view name) const { return effective(name).text; }

std::int64_t flag_line::whole(std::string_view name, std::int64_t least, std::int64_t most) const {
  const setting value = effective(name);
  const auto out = base::parse_int(value.text);
  if (!out || *out < least || *out > most)
    throw options::usage_error(fmt::format("{} is not a whole number from {} to {}",
                                           options::in_quotes(value.text), least, most),
                               {}, {value.source});
  return *out;
}

double flag_line::positive(std::string_view name) const {
  const setting value = effective(name);
  const auto out = pytext::python_float(value.text);
  if (!out || !std::isfinite(*out) || !(*out > 0))
    throw options::usage_error(options::in_quotes(value.text) + " is not a number above 0", {},
                               {value.source});
  return *out;
}

std::string flags_help(std::string_view usage, std::string_view about,
                       std::span<const flag_row> table) {
  std::string out = fmt::format("usage: {}\n\n{}\n\n", usage,
                                base::trim(base::help_row("", about, 0, help_width)));
  for (const flag_row& row : table)
    out += help_heading(row) + help_paragraph(row);
  return out + "  -h, --help\n      Show this text\n";
}

}  // namespace inferbench::scripts

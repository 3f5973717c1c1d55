#include "plot/arguments.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::plot {

namespace {

/// "--var_x" as "var-x".
std::string normal(std::string_view written) {
  std::string out(written.substr(2));
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string flag_of(std::string_view name) { return "--" + std::string(name); }

[[noreturn]] void misused(std::string_view name, const std::string& message,
                          const std::string& remedy = {}) {
  throw options::usage_error(message, remedy, {flag_of(name), 0, 0});
}

/// `text` in lines of at most 96 characters, each after `margin` blanks.
std::string wrapped(std::string_view text, std::size_t margin) {
  std::string out;
  std::string line(margin, ' ');
  for (const std::string_view word : base::split(text, ' ')) {
    if (line.size() > margin && line.size() + 1 + word.size() > 96) {
      out += line + "\n";
      line.assign(margin, ' ');
    }
    if (line.size() > margin) line += ' ';
    line += word;
  }
  return out + line + "\n";
}

}  // namespace

plot_arguments::plot_arguments(std::span<const argument_row> table,
                               std::span<const std::string> args)
    : table_(table) {
  // After "--" every argument is a folder, also if it begins with a dash.
  const auto end_of_options = std::ranges::find(args, "--");
  help_ = std::any_of(args.begin(), end_of_options,
                      [](const std::string& a) { return a == "--help" || a == "-h"; });
  if (help_) return;
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") {
      folders.insert(folders.end(), args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
      break;
    }
    if (arg.size() < 2 || arg.front() != '-') {
      folders.push_back(arg);
      continue;
    }
    const std::size_t equals = arg.find('=');
    const argument_row& row = row_of(arg.substr(0, equals));
    std::string value;
    if (row.value.empty()) {
      if (equals != std::string::npos) misused(row.name, "takes no value");
    } else if (equals != std::string::npos) {
      value = arg.substr(equals + 1);
    } else {
      if (i + 1 == args.size() || args[i + 1].starts_with("--"))
        misused(row.name, "needs a value",
                fmt::format("write {} {}", flag_of(row.name), row.value));
      value = args[++i];
    }
    values_.insert_or_assign(std::string(row.name), std::move(value));
  }
  if (folders.empty())
    throw options::usage_error("the folder of the experiment is missing", "see --help");
  if (folders.size() > 1)
    throw options::usage_error("one folder is expected, and " + folders[1] + " is a second one",
                               "quote a path that contains blanks");
  folder_ = folders.front();
}

const argument_row& plot_arguments::row_of(const std::string& written) const {
  std::vector<std::string> names;
  for (const argument_row& row : table_)
    names.push_back(flag_of(row.name));
  if (written.starts_with("--")) {
    const std::string name = normal(written);
    const argument_row* meant = nullptr;
    std::string several;
    for (const argument_row& row : table_) {
      if (row.name == name) return row;
      if (!row.name.starts_with(name)) continue;
      several += (several.empty() ? "" : ", ") + flag_of(row.name);
      meant = meant == nullptr ? &row : meant;
    }
    if (several.find(',') != std::string::npos)
      throw options::usage_error(written + " is ambiguous", "write one of " + several);
    if (meant != nullptr) return *meant;
  }
  const std::string meant = base::did_you_mean(written, names);
  throw options::usage_error("unknown option " + written,
                             meant.empty() ? "--help lists all options" : meant);
}

bool plot_arguments::given(std::string_view name) const { return values_.contains(name); }

std::string plot_arguments::text(std::string_view name) const {
  if (const auto at = values_.find(name); at != values_.end()) return at->second;
  return std::string(std::ranges::find(table_, name, &argument_row::name)->fallback);
}

std::vector<std::string> plot_arguments::list(std::string_view name) const {
  const std::string all = text(name);
  std::vector<std::string> out;
  if (all.empty()) return out;
  for (const std::string_view item : base::split(all, ','))
    out.emplace_back(item);
  return out;
}

double plot_arguments::positive(std::string_view name, double most) const {
  const std::string written = text(name);
  const auto out = pytext::python_float(written);
  if (!out || !(*out > 0 && *out <= most))
    misused(name, fmt::format("\"{}\" is not a number above 0 and at most {}", written, most));
  return *out;
}

int plot_arguments::positive_whole(std::string_view name, int most) const {
  const std::string written = text(name);
  const auto out = base::parse_int(written);
  if (!out || *out < 1 || *out > most)
    misused(name, fmt::format("\"{}\" is not a whole number from 1 to {}", written, most));
  return static_cast<int>(*out);
}

std::string arguments_help(std::string_view usage, std::string_view about,
                           std::span<const argument_row> table) {
  std::string out = fmt::format("usage: {}\n\n{}\n", usage, wrapped(about, 0));
  for (const argument_row& row : table) {
    out += "  " + flag_of(row.name);
    if (!row.value.empty()) out += " " + std::string(row.value);
    out += "\n";
    const std::string fallback =
        row.fallback.empty() ? "" : fmt::format(" (default {})", row.fallback);
    out += wrapped(std::string(row.help) + fallback, 6);
  }
  return out + "  -h, --help\n      Show this text\n";
}

}  // namespace inferbench::plot

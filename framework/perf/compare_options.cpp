#include "perf/compare_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "options/refusal.hpp"
#include "perf/compare_frame.hpp"
#include "perf/compare_input.hpp"
#include "plot/arguments.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::perf {

namespace {

using plot::argument_row;

constexpr const char* default_excel_file = "perf_comparison.xlsx";

constexpr std::array compare_rows{
    argument_row{"file", "FILE", "",
                 "A file benchmark_results.json; repeatable, short form -f. Several files are "
                 "compared with the first; a single file is split by tensor and pipeline parallel "
                 "size, and the pieces are compared"},
    argument_row{"debug", "", "", "Add a column with the name of the test for each file"},
    argument_row{"plot", "", "", "Draw a plot below each table; this is the default"},
    argument_row{"no-plot", "", "", "Draw no plots"},
    argument_row{"xaxis", "TITLE", concurrency_title,
                 "The column by which rows are sorted and plotted; short form -x"},
    argument_row{"latency", "WHICH", "p99",
                 "The latencies to compare: medians if the text contains median, else 99th "
                 "percentiles; short form -l"},
    argument_row{"ttft-max-ms", "MS", "3000.0", "The largest time to the first token to accept"},
    argument_row{"tpot-max-ms", "MS", "100.0", "The largest time per output token to accept"},
    argument_row{"ttft-slack-pct", "PERCENT", "5.0", "Tolerance above --ttft-max-ms"},
    argument_row{"tpot-slack-pct", "PERCENT", "5.0", "Tolerance above --tpot-max-ms"},
    argument_row{"csv-out-dir", "DIR", "", "Also write the tables as CSV to this folder"},
    argument_row{
        "excel-out", "FILE", default_excel_file,
        "The Excel file to write (.xlsx), with a sheet for each group. The environment variable "
        "VLLM_COMPARE_DISABLE_EXCEL=1 switches it off"}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> compare_short_forms{
    {{"-f", "file"}, {"-x", "xaxis"}, {"-l", "latency"}}};

[[noreturn]] void refuse_argument(std::string_view name, const std::string& message,
                                  const std::string& remedy = {}) {
  throw options::usage_error(message, remedy, {"--" + std::string(name), 0, 0});
}

const argument_row& row_named(std::string_view name) {
  return *std::ranges::find(compare_rows, name, &argument_row::name);
}

/// The row that `written`, such as "--csv_out", means.
const argument_row& row_meant(const std::string& written) {
  std::vector<std::string> all;
  for (const argument_row& row : compare_rows)
    all.push_back("--" + std::string(row.name));
  std::string name = written;
  std::ranges::replace(name, '_', '-');
  std::vector<std::string> meant;
  for (const std::string& each : all) {
    if (each == name) return row_named(std::string_view(each).substr(2));
    if (name.size() > 2 && each.starts_with(name)) meant.push_back(each);
  }
  if (meant.size() == 1) return row_named(std::string_view(meant.front()).substr(2));
  if (meant.size() > 1)
    throw options::usage_error(base::one_line(written) + " is ambiguous",
                               fmt::format("write one of {}", fmt::join(meant, ", ")));
  const std::string near = base::did_you_mean(name, all);
  throw options::usage_error("unknown option " + base::one_line(written),
                             near.empty() ? "--help lists all options" : near);
}

/// An option and its value in an argument; the value may be the next argument.
struct written_option {
  const argument_row* row = nullptr;
  std::optional<std::string> value;
};

written_option option_in(const std::string& arg) {
  if (arg.starts_with("--")) {
    const std::size_t equals = arg.find('=');
    written_option out{&row_meant(arg.substr(0, equals)), std::nullopt};
    if (equals != std::string::npos) out.value = arg.substr(equals + 1);
    return out;
  }
  for (const auto& [form, name] : compare_short_forms) {
    if (!arg.starts_with(form)) continue;
    written_option out{&row_named(name), std::nullopt};
    if (arg.size() > form.size())
      out.value = arg.substr(form.size() + (arg[form.size()] == '=' ? 1 : 0));
    return out;
  }
  if (arg.size() > 1 && arg.front() == '-')
    throw options::usage_error("unknown option " + base::one_line(arg), "--help lists all options");
  throw options::usage_error("unexpected argument " + base::one_line(arg),
                             "write -f before the path of each file");
}

double limit_in(const argument_row& row, const std::string& written) {
  const auto out = pytext::python_float(written);
  if (!out || !(*out >= 0 && *out <= std::numeric_limits<float>::max()))
    refuse_argument(row.name,
                    "\"" + base::one_line(written) + "\" is not a finite number from 0 on");
  return *out;
}

void take_option(const argument_row& row, const std::string& value, compare_request& out) {
  const std::string_view name = row.name;
  if (name == "file") {
    if (value.empty()) refuse_argument(name, "the path is empty");
    out.files.push_back(value);
  } else if (name == "debug") {
    out.debug = true;
  } else if (name == "plot" || name == "no-plot") {
    out.plot = name == "plot";
  } else if (name == "xaxis") {
    out.x_axis = value;
  } else if (name == "latency") {
    out.medians = value.find("median") != std::string::npos;
  } else if (name == "ttft-max-ms") {
    out.limits.ttft_ms = limit_in(row, value);
  } else if (name == "tpot-max-ms") {
    out.limits.tpot_ms = limit_in(row, value);
  } else if (name == "ttft-slack-pct") {
    out.limits.ttft_slack_percent = limit_in(row, value);
  } else if (name == "tpot-slack-pct") {
    out.limits.tpot_slack_percent = limit_in(row, value);
  } else if (name == "csv-out-dir") {
    if (value.empty()) refuse_argument(name, "the path is empty");
    out.csv_folder = value;
  } else {
    if (value.empty()) refuse_argument(name, "the path is empty");
    // No other file of the command has this ending, so none can be replaced.
    if (std::filesystem::path(value).extension() != ".xlsx")
      refuse_argument(
          name, "the name " + options::in_quotes(base::one_line(value)) + " does not end in .xlsx");
    out.excel_file = value;
  }
}

void check_x_axis(const std::string& title) {
  const auto known = comparison_info_columns();
  if (std::ranges::find(known, title) != known.end()) return;
  refuse_argument("xaxis",
                  options::in_quotes(base::one_line(title)) + " is not a column of the key",
                  fmt::format("use one of {}",
                              fmt::join(known | std::views::transform(options::in_quotes), ", ")));
}

}  // namespace

compare_request parse_compare(std::span<const std::string> args, const options::environment& env) {
  compare_request out;
  out.x_axis = concurrency_title;
  out.excel_file = default_excel_file;
  if (std::ranges::any_of(args, [](const std::string& a) { return a == "--help" || a == "-h"; })) {
    out.help = plot::arguments_help(
        "inferbench perf compare -f FILE [-f FILE ...] [options]",
        "Compares files benchmark_results.json of `perf convert`. Writes perf_comparison.html, a "
        "page for each group of equal model, data set and lengths, and perf_comparison.xlsx to the "
        "current folder.",
        compare_rows);
    return out;
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const written_option option = option_in(args[i]);
    const argument_row& row = *option.row;
    if (row.value.empty()) {
      if (option.value) refuse_argument(row.name, "takes no value");
      take_option(row, {}, out);
    } else if (option.value) {
      take_option(row, *option.value, out);
    } else {
      if (i + 1 == args.size() || args[i + 1].starts_with("--"))
        refuse_argument(row.name, "needs a value",
                        "write --" + std::string(row.name) + " " + std::string(row.value));
      take_option(row, args[++i], out);
    }
  }
  if (out.files.empty())
    throw options::usage_error("no file is given", "name a benchmark_results.json with -f");
  check_x_axis(out.x_axis);
  if (const std::string* const off = env.find("VLLM_COMPARE_DISABLE_EXCEL");
      off != nullptr && *off == "1")
    out.excel_file.clear();
  return out;
}

}  // namespace inferbench::perf

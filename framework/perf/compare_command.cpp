// The command `perf compare`.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <inferbench-figures/figures.hpp>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "options/environment.hpp"
#include "perf/commands.hpp"
#include "perf/compare_csv.hpp"
#include "perf/compare_excel.hpp"
#include "perf/compare_html.hpp"
#include "perf/compare_input.hpp"
#include "perf/compare_options.hpp"
#include "perf/compare_plot.hpp"
#include "perf/compare_report.hpp"
#include "plot/picture_files.hpp"

namespace inferbench::perf {

namespace {

/// More than any dashboard has; a larger file is not what the user meant.
constexpr std::size_t most_bytes = std::size_t{512} << 20U;
constexpr const char* environment_text_file = "vllm_env.txt";
constexpr std::size_t most_environment_bytes = std::size_t{16} << 20U;

void write_and_say(const std::string& path, const std::string& text, base::output& to) {
  plot::write_text(path, text);
  to.write("Saved: " + path + "\n");
}

compared_file read_compared(const std::string& path) {
  return parse_compared_file(base::read_regular_file(path, most_bytes), path);
}

/// A single file becomes one file for each pair of parallel sizes.
std::vector<compared_file> pieces_of(const compared_file& whole, base::output& to) {
  std::vector<compared_file> out;
  for (const parallelism_piece& piece : split_by_parallelism(whole)) {
    plot::make_figure_folder(std::filesystem::path(piece.path).parent_path().string());
    write_and_say(piece.path, piece.text, to);
    out.push_back(parse_compared_file(piece.text, piece.path));
  }
  return out;
}

std::vector<compared_file> files_of(const compare_request& request, base::output& to) {
  std::vector<compared_file> out;
  for (const std::string& path : request.files)
    out.push_back(read_compared(path));
  if (out.size() == 1) out = pieces_of(out.front(), to);
  for (compared_file& file : out)
    find_concurrency(file);
  label_files(out);
  return out;
}

void draw_plots(comparison_report& report) {
  std::size_t number = 0;
  for (compared_group& group : report.groups)
    for (std::size_t i = 0; i < group.parts.size(); ++i) {
      const figures::figure plot = comparison_plot(group.parts[i], report.x_axis, report.limits);
      if (has_points(plot)) group.plots[i] = inline_svg(plot, "plot" + std::to_string(++number));
    }
}

void write_pages(const comparison_report& report, base::output& to) {
  write_and_say("perf_comparison.html", comparison_page(report, report.groups), to);
  for (const compared_group& group : report.groups)
    write_and_say(group.file, comparison_page(report, std::span(&group, 1)), to);
}

void write_csv(const comparison_report& report, const std::string& folder, base::output& to) {
  plot::make_figure_folder(folder);
  for (const csv_table& table : csv_tables(report))
    write_and_say(plot::joined_path(folder, table.file), table.text, to);
}

/// The environment report of `perf run` beside the file, if it is there.
std::optional<std::string> environment_beside(const std::string& file) {
  const std::filesystem::path path =
      std::filesystem::path(file).parent_path() / environment_text_file;
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return std::nullopt;
  return base::read_regular_file(path.string(), most_environment_bytes);
}

void write_excel(const comparison_report& report, const compare_request& request,
                 base::output& to) {
  const std::string& path = request.excel_file;
  std::error_code unknown;
  // A renamed file would take the place of a device.
  if (const auto kind = std::filesystem::status(path, unknown).type();
      kind != std::filesystem::file_type::not_found &&
      kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::none)
    throw base::error(
        "cannot write " + path + ": there is " +
        (kind == std::filesystem::file_type::directory ? "a folder" : "no ordinary file") +
        " of this name");
  const std::optional<std::string> environment = environment_beside(request.files.front());
  if (const std::string folder = std::filesystem::path(path).parent_path().string();
      !folder.empty())
    plot::make_figure_folder(folder);
  write_comparison_workbook(report, environment, path);
  to.write("Saved: " + path + "\n");
}

}  // namespace

int compare(std::span<const std::string> args, base::output& to) {
  const compare_request request = parse_compare(args, options::environment::of_process());
  if (!request.help.empty()) {
    to.write(request.help);
    return 0;
  }
  const std::vector<compared_file> files = files_of(request, to);
  comparison_report report = compared(files, request);
  if (request.plot) draw_plots(report);
  write_pages(report, to);
  if (!request.csv_folder.empty()) write_csv(report, request.csv_folder, to);
  // The notes are printed also if the Excel file cannot be written.
  std::optional<base::error> unwritten;
  try {
    if (!request.excel_file.empty()) write_excel(report, request, to);
  } catch (const base::error& e) {
    unwritten = e;
  }
  for (const std::string& note : report.notes)
    to.write("Note: " + base::one_line(note) + "\n");
  if (files.size() == 1)
    to.write("Note: there is one configuration only, so the tables have no ratios\n");
  if (unwritten) throw base::error(*unwritten);
  return 0;
}

}  // namespace inferbench::perf

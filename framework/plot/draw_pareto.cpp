// The command `sweep plot_pareto`.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/commands.hpp"
#include "plot/picture.hpp"
#include "plot/picture_files.hpp"
#include "plot/plot_request.hpp"
#include "plot/run_values.hpp"
#include "plot/saved_data.hpp"

namespace inferbench::plot {

namespace {

/// A line if the user named a key that no run has: the numbers then come from other keys, and a
/// label has no line for it.
void tell_unknown(const std::string& flag, const std::string& key, const run_table& table,
                  base::output& out) {
  if (key.empty()) return;
  for (const run_row& row : table.rows())
    if (value_of_any_spelling(row, key) != nullptr) return;
  const std::string meant = base::did_you_mean(key, columns_of(table.rows()));
  out.write(fmt::format("Note: no run has the key {} of {}{}\n", key, flag,
                        meant.empty() ? "" : "; " + meant));
}

void tell_unknown_labels(const pareto_spec& spec, const run_table& table, base::output& out) {
  if (!spec.labels_given) return;
  for (const std::string& key : spec.label_by)
    if (std::ranges::count(added_keys, key) == 0) tell_unknown("--label-by", key, table, out);
}

void write_files(const pareto_request& request, const pareto_data& data, const std::string& path,
                 base::output& out) {
  figures::figure picture = picture_of(data, "Pareto frontier");
  picture.height_inches = request.height_inches;
  picture.dpi = request.dpi;
  write_pictures(picture, path, request.formats);
  if (request.formats.html) {
    write_page({picture}, page_title(request.folder, "Pareto frontier"), path + ".html");
    out.write("Page: " + path + ".html\n");
  }
  if (request.save_data) {
    write_text(path + ".data.json", saved_data(data));
    out.write("Data: " + path + ".data.json\n");
  }
}

}  // namespace

void draw_pareto(std::span<const std::string> args, base::output& out) {
  const pareto_request request = parse_pareto(args);
  if (!request.help.empty()) {
    out.write(request.help);
    return;
  }
  const run_table table = run_table::read(request.folder);
  const std::string folder = joined_path(request.folder, "pareto");
  const std::string path = folder + "/PARETO";
  make_figure_folder(folder);
  const pareto_data data = pareto_of(request.pareto, table.rows());
  if (data.uncompleted > 0)
    out.write(fmt::format("Skipped runs without a completed request: {}\n", data.uncompleted));
  if (data.skipped > 0)
    out.write(fmt::format("Skipped runs without a number of users: {}\n", data.skipped));
  tell_unknown("--user-count-var", request.pareto.user_count_var, table, out);
  tell_unknown("--gpu-count-var", request.pareto.gpu_count_var, table, out);
  tell_unknown_labels(request.pareto, table, out);
  const picture_formats& formats = request.formats;
  out.write("[BEGIN FIGURE]\nGroup: {}\n");
  if (formats.png) out.write("Output file: " + path + ".png\n");
  if (formats.svg) out.write("Output file: " + path + ".svg\n");
  if (!formats.png && !formats.svg) out.write("Output file: " + path + ".html\n");
  if (!request.dry_run) {
    out.write(fmt::format("Runs: {}, on the Pareto frontier: {}\n", data.points.size(),
                          data.frontier.size()));
    for (const std::string& line : frontier_lines(data))
      out.write("Frontier: " + line + "\n");
    for (const std::string& note : pareto_notes(data))
      out.write("Note: " + note + "\n");
    write_files(request, data, path, out);
  }
  out.write("[END FIGURE]\n");
}

}  // namespace inferbench::plot

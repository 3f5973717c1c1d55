// The command `sweep plot`.
#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "plot/commands.hpp"
#include "plot/groups.hpp"
#include "plot/picture.hpp"
#include "plot/picture_files.hpp"
#include "plot/plot_request.hpp"
#include "plot/run_values.hpp"
#include "plot/saved_data.hpp"

namespace inferbench::plot {

namespace {

/// R rows x C columns of the runs before filters: C is the largest number of columns of a row.
std::string grid_of(const figure_spec& spec, const std::vector<run_row>& rows) {
  std::size_t columns = 0;
  const auto row_groups = grouped(rows, spec.row_by, "--row-by");
  for (const run_group& group : row_groups)
    columns = std::max(columns, grouped(group.rows, spec.column_by, "--col-by").size());
  return fmt::format("Grid: {} rows x {} cols\n", row_groups.size(), columns);
}

std::string output_lines(const std::string& path, const picture_formats& formats,
                         const std::string& page) {
  std::string out;
  if (formats.png) out += "Output file: " + path + ".png\n";
  if (formats.svg) out += "Output file: " + path + ".svg\n";
  // A page alone is the file of every figure; otherwise it is printed once, after the figures.
  if (out.empty()) out = "Output file: " + page + "\n";
  return out;
}

std::string no_data(const figure_spec& spec, const figure_data& data) {
  const std::string filters =
      fmt::format("{}", fmt::join(spec.filters | std::views::transform(&row_filter::text), ","));
  std::string out = "No data to plot";
  if (!filters.empty()) out += " with the filters: " + filters;
  std::string separator = filters.empty() ? ":" : ";";
  const auto add = [&](std::size_t n, const std::string& what) {
    if (n == 0) return;
    out += fmt::format("{} {} without {}", separator,
                       n == 1 ? "1 run is" : std::to_string(n) + " runs are", what);
    separator = ";";
  };
  add(data.uncompleted, "a completed request");
  add(data.left_out, "a finite " + spec.x + " and " + spec.y);
  return out + "\n";
}

/// Draws the figures of a command, one after the other, and collects the page.
class figure_session {
 public:
  figure_session(const curves_request& request, std::size_t figures, base::output& out)
      : request_(request),
        out_(out),
        folder_(joined_path(request.folder, request.figure_dir)),
        page_(figure_path(folder_, request.figure_name, {}) + ".html"),
        figures_(figures) {}

  /// An error ends this figure only. Throws base::error if it is the only figure.
  void draw(const run_group& group) {
    try {
      draw_one(group);
    } catch (const base::error& e) {
      ++failed_;
      // The error of an only figure is that of the command.
      if (figures_ == 1) {
        out_.write("[FAILED FIGURE]\n[END FIGURE]\n");
        throw;
      }
      out_.write(fmt::format("[FAILED FIGURE] {}\n[END FIGURE]\n", e.what()));
    }
  }

  /// Writes the page. Throws base::error if a figure failed.
  void finish() {
    if (request_.formats.html && !pictures_.empty()) {
      // The default name says nothing to a reader.
      write_page(pictures_,
                 page_title(request_.folder,
                            request_.figure_name == usual_figure_name ? "" : request_.figure_name),
                 page_);
      out_.write("Page: " + page_ + "\n");
    }
    if (failed_ == 0) return;
    throw base::error(fmt::format("{} of {} figures failed", failed_, figures_),
                      "the reasons follow [FAILED FIGURE] in the output");
  }

 private:
  void draw_one(const run_group& group) {
    const figure_spec& spec = request_.figure;
    const std::string path = figure_path(folder_, request_.figure_name, group.key);
    out_.write("[BEGIN FIGURE]\nGroup: " + python_dict(group.key) + "\n");
    if (!paths_.insert(path).second)
      throw base::error("the files " + path + ".* are those of an earlier figure",
                        "the values differ only in characters that file names cannot have");
    out_.write(grid_of(spec, group.rows));
    out_.write(output_lines(path, request_.formats, page_));
    if (!request_.dry_run) draw_files(group, path);
    out_.write("[END FIGURE]\n");
  }

  void draw_files(const run_group& group, const std::string& path) {
    const figure_data data = figure_of(request_.figure, group.rows);
    if (data.points() == 0) {
      out_.write(no_data(request_.figure, data));
      return;
    }
    figures::figure picture = picture_of(
        data, group.key.empty() ? data.y + " against " + data.x : text_of_key(group.key, ", "));
    picture.height_inches = request_.height_inches;
    picture.dpi = request_.dpi;
    for (const std::string& note : picture.notes)
      out_.write("Note: " + note + "\n");
    write_pictures(picture, path, request_.formats);
    if (request_.save_data) {
      write_text(path + ".data.json", saved_data(data));
      out_.write("Data: " + path + ".data.json\n");
    }
    pictures_.push_back(std::move(picture));
  }

  const curves_request& request_;
  base::output& out_;
  std::string folder_, page_;
  std::set<std::string> paths_;
  std::vector<figures::figure> pictures_;
  std::size_t figures_, failed_ = 0;
};

}  // namespace

void draw(std::span<const std::string> args, base::output& out) {
  const curves_request request = parse_curves(args);
  if (!request.help.empty()) {
    out.write(request.help);
    return;
  }
  const run_table table = run_table::read(request.folder);
  make_figure_folder(joined_path(request.folder, request.figure_dir));
  const std::vector<run_group> all = grouped(table.rows(), request.figure_by, "--fig-by");
  figure_session session(request, all.size(), out);
  if (all.empty()) out.write("No data to plot: the summary.json files have no run\n");
  for (const run_group& group : all)
    session.draw(group);
  session.finish();
}

}  // namespace inferbench::plot

#include "plot/plot_request.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "options/refusal.hpp"
#include "plot/arguments.hpp"
#include "plot/picture.hpp"

namespace inferbench::plot {

namespace {

constexpr argument_row format_row{
    "format", "LIST", "png,html",
    "Files to write, comma separated: png and svg, a file for each figure; html, one page with all "
    "figures"};
constexpr argument_row save_data_row{
    "save-data", "", "",
    "Also write the values of each figure as JSON to the name of the figure with .data.json"};
constexpr argument_row height_row{"fig-height", "INCHES", "6.4",
                                  "Height of each facet of PNG and SVG"};
constexpr argument_row dpi_row{"fig-dpi", "N", "300", "Dots per inch of PNG"};
constexpr argument_row dry_run_row{"dry-run", "", "",
                                   "Print which figures would be written, and draw none"};

constexpr std::array curves_rows{
    argument_row{"fig-dir", "DIR", "",
                 "Folder of the figures, relative to the folder of the experiment; the same folder "
                 "if not given"},
    argument_row{"fig-by", "KEYS", "", "A figure for each combination of the values of these keys"},
    argument_row{"row-by", "KEYS", "", "A row of facets for each combination of these keys"},
    argument_row{"col-by", "KEYS", "", "A column of facets for each combination of these keys"},
    argument_row{"curve-by", "KEYS", "",
                 "A curve for each combination of these keys; of up to three keys the first "
                 "decides the colour, the second the dashes, the third the width"},
    argument_row{"var-x", "KEY", "total_token_throughput", "Variable of the x axis"},
    argument_row{"var-y", "KEY", "median_ttft_ms",
                 "Variable of the y axis; runs with equal x become a point, their mean"},
    argument_row{"filter-by", "FILTERS", "",
                 "Draw only runs that fulfil all of these comparisons, comma separated: "
                 "request_rate<=10 with ==, !=, <=, >=, < or >"},
    argument_row{"bin-by", "BINNERS", "",
                 "Round values down, comma separated: request_throughput%0.5 rounds to multiples "
                 "of 0.5"},
    argument_row{"scale-x", "SCALE", "", "Scale of the x axis: linear, log, symlog or sqrt"},
    argument_row{"scale-y", "SCALE", "", "Scale of the y axis: linear, log, symlog or sqrt"},
    argument_row{"fig-name", "NAME", usual_figure_name, "How the names of the files begin"},
    argument_row{"no-error-bars", "", "",
                 "Draw no bands of one sample standard deviation around the means"},
    height_row,
    dpi_row,
    format_row,
    save_data_row,
    dry_run_row};

constexpr std::array pareto_rows{
    argument_row{"user-count-var", "KEY", "max_concurrency",
                 "Key with the number of users; a run without the key uses request_rate, and a run "
                 "whose value is missing, 0 or infinite uses max_concurrent_requests"},
    argument_row{"gpu-count-var", "KEY", "",
                 "Key with the number of GPUs; otherwise num_gpus, gpu_count, or the product of "
                 "the tensor, pipeline and data parallel sizes"},
    argument_row{"label-by", "KEYS", "max_concurrency,gpu_count",
                 "Keys printed beside the points of the frontier; an empty list for none. If not "
                 "given, the labels begin with _benchmark_name where its values differ"},
    argument_row{"gpu-price-per-hour", "PRICE", "",
                 "Price of a GPU for an hour, in any currency: adds the cost of a million output "
                 "tokens"},
    height_row,
    dpi_row,
    format_row,
    save_data_row,
    dry_run_row};

constexpr std::array boundary_rows{
    argument_row{"group-by", "KEYS", "_benchmark_name",
                 "A group for each combination of the values of these keys"},
    argument_row{"concurrency-var", "KEY", "max_concurrency", "Key with the concurrency of a run"}};

picture_formats formats_of(const plot_arguments& args) {
  // The name of a format is its ending without the dot.
  static constexpr std::pair<std::string_view, bool picture_formats::*> endings[] = {
      {".png", &picture_formats::png},
      {".svg", &picture_formats::svg},
      {".html", &picture_formats::html}};
  picture_formats out{.png = false, .svg = false, .html = false};
  for (const std::string& name : args.list("format")) {
    const auto* const known = std::ranges::find(
        endings, "." + name, &std::pair<std::string_view, bool picture_formats::*>::first);
    if (known == std::end(endings))
      throw options::usage_error("\"" + name + "\" is not a format", "use png, svg and html",
                                 {"--format", 0, 0});
    out.*(known->second) = true;
  }
  if (!out.png && !out.svg && !out.html)
    throw options::usage_error("names no format", "use png, svg and html", {"--format", 0, 0});
  return out;
}

void take_common(const plot_arguments& args, common_request& out) {
  out.folder = args.folder();
  out.formats = formats_of(args);
  out.save_data = args.on("save-data");
  out.dry_run = args.on("dry-run");
  out.height_inches = args.positive("fig-height", 100);
  out.dpi = args.positive_whole("fig-dpi", 2400);
}

}  // namespace

curves_request parse_curves(std::span<const std::string> args) {
  const plot_arguments given(curves_rows, args);
  curves_request out;
  if (given.asks_for_help()) {
    out.help =
        arguments_help("inferbench sweep plot EXPERIMENT_DIR [options]",
                       "Draws curves from every summary.json below EXPERIMENT_DIR.", curves_rows);
    return out;
  }
  take_common(given, out);
  out.figure_dir = given.text("fig-dir");
  out.figure_name = given.text("fig-name");
  out.figure_by = given.list("fig-by");
  figure_spec& figure = out.figure;
  figure.x = given.text("var-x");
  figure.y = given.text("var-y");
  figure.scale_x = given.text("scale-x");
  figure.scale_y = given.text("scale-y");
  static_cast<void>(scale_of(figure.scale_x, "--scale-x"));
  static_cast<void>(scale_of(figure.scale_y, "--scale-y"));
  figure.row_by = given.list("row-by");
  figure.column_by = given.list("col-by");
  figure.curve_by = given.list("curve-by");
  figure.filters = parse_filters(given.text("filter-by"));
  figure.binners = parse_binners(given.text("bin-by"));
  figure.error_bars = !given.on("no-error-bars");
  return out;
}

pareto_request parse_pareto(std::span<const std::string> args) {
  const plot_arguments given(pareto_rows, args);
  pareto_request out;
  if (given.asks_for_help()) {
    out.help = arguments_help(
        "inferbench sweep plot_pareto EXPERIMENT_DIR [options]",
        "Draws output tokens/s/GPU against output tokens/s/user of every run below EXPERIMENT_DIR, "
        "and the frontier of the runs that no other run surpasses in both. Writes to "
        "EXPERIMENT_DIR/pareto.",
        pareto_rows);
    return out;
  }
  take_common(given, out);
  out.pareto.user_count_var = given.text("user-count-var");
  out.pareto.gpu_count_var = given.text("gpu-count-var");
  out.pareto.label_by = given.list("label-by");
  out.pareto.labels_given = given.given("label-by");
  if (given.given("gpu-price-per-hour"))
    out.pareto.gpu_price_per_hour = given.positive("gpu-price-per-hour", 1e9);
  return out;
}

boundary_request parse_boundary(std::span<const std::string> args) {
  const plot_arguments given(boundary_rows, args);
  boundary_request out;
  if (given.asks_for_help()) {
    out.help = arguments_help(
        "inferbench sweep boundary EXPERIMENT_DIR [options]",
        "Prints how throughput and latencies of each group of runs change with concurrency, and "
        "writes the table to EXPERIMENT_DIR/boundary.csv. "
        "p95_e2el_ms_multiplier_vs_baseline is the 95th percentile of the end-to-end latency "
        "divided by that of the lowest concurrency of the group.",
        boundary_rows);
    return out;
  }
  out.folder = given.folder();
  out.boundary.group_by = given.list("group-by");
  out.boundary.group_given = given.given("group-by");
  out.boundary.concurrency_var = given.text("concurrency-var");
  return out;
}

}  // namespace inferbench::plot

#include "plot/picture.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "plot/groups.hpp"

namespace inferbench::plot {

namespace {

constexpr std::array<std::pair<std::string_view, figures::scale>, 4> known_scales{
    {{"linear", figures::scale::linear},
     {"log", figures::scale::log},
     {"symlog", figures::scale::symlog},
     {"sqrt", figures::scale::sqrt}}};

/// Whether the scale has a place for the value.
bool on_scale(figures::scale scale, double value) {
  if (scale == figures::scale::log) return value > 0;
  return scale != figures::scale::sqrt || value >= 0;
}

std::string plural(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string detail_of(const figure_data& data, const point& p) {
  std::string out = fmt::format("{} {:.6g}\n{} {:.6g}", data.x, p.x, data.y, p.y);
  if (p.sd) out += fmt::format(" ± {:.3g} (1 sample standard deviation)", *p.sd);
  out += "\n" + (p.n == 1 ? std::string("1 run") : fmt::format("mean of {} runs", p.n));
  if (p.unstable > 0)
    out += fmt::format("\nunstable: in {} the server did not keep up", plural(p.unstable, "run"));
  return out;
}

figures::curve drawn_curve(const figure_data& data, const curve& from, std::string_view separator,
                           const figures::figure& in, std::size_t& off_scale) {
  figures::curve out;
  out.label = text_of_key(from.by, separator);
  out.colour = from.ranks[0];
  out.dash = from.ranks[1];
  out.width = from.ranks[2];
  for (const point& p : from.points) {
    if (!on_scale(in.x_scale, p.x) || !on_scale(in.y_scale, p.y)) {
      ++off_scale;
      continue;
    }
    const double sd = p.sd.value_or(0);
    out.points.push_back({.x = p.x,
                          .y = p.y,
                          .low = p.y - sd,
                          .high = p.y + sd,
                          .label = {},
                          .detail = detail_of(data, p),
                          .weak = p.unstable > 0});
  }
  return out;
}

std::string listed(const std::vector<std::string>& keys, std::string_view separator) {
  std::string out;
  for (const std::string& key : keys)
    out.append(out.empty() ? "" : separator).append(key);
  return out;
}

/// The notes on runs that are not what the reader of a curve expects.
void add_origin_notes(const figure_data& data, std::vector<std::string>& to) {
  if (!data.mixed.empty())
    to.push_back("points mix runs with different " + listed(data.mixed, ", ") +
                 ": separate them with --curve-by or --filter-by");
  if (!data.repetitions_apart) return;
  std::string better = "name a parameter with --var-x";
  if (!data.parameters.empty()) better += " (" + listed(data.parameters, ", ") + ")";
  to.push_back("repeated runs are points of their own, because each has another " + data.x + ": " +
               better + ", or round with --bin-by " + data.x + "%SIZE");
}

std::string title_of(const facet& f) {
  std::string out = text_of_key(f.row, "\n");
  const std::string column = text_of_key(f.column, "\n");
  if (!out.empty() && !column.empty()) out += "\n";
  return out + column;
}

std::size_t unstable_points(const figure_data& data) {
  std::size_t out = 0;
  for (const facet& f : data.facets)
    for (const curve& c : f.curves)
      out += static_cast<std::size_t>(
          std::ranges::count_if(c.points, [](const point& p) { return p.unstable > 0; }));
  return out;
}

constexpr const char* uncompleted_note = " without a completed request not drawn";

constexpr const char* unstable_note =
    "offered more than 5 % above what the server served (hollow): its latencies grow with the "
    "length "
    "of the run";

/// Which of the repetitions of its combination the point is.
std::string runs_text(const pareto_point& p) {
  return p.row.siblings == 1
             ? std::string("the only run of its combination")
             : fmt::format("run {} of {} of its combination", p.row.number + 1, p.row.siblings);
}

std::string detail_of(const pareto_point& p) {
  std::string out =
      fmt::format("{:.6g} tokens/s/user\n{:.6g} tokens/s/GPU\nusers: {:.6g}, GPUs: {:.6g}",
                  p.tokens_per_user, p.tokens_per_gpu, p.users, p.gpus);
  if (p.cost) out += fmt::format("\n{:.4g} per million output tokens", *p.cost);
  out += "\n" + *p.row.file + "\n" + runs_text(p);
  if (p.unstable) out += "\nunstable: the server did not keep up";
  return out;
}

figures::point drawn_point(const pareto_point& p, bool labelled) {
  return {.x = p.tokens_per_user,
          .y = p.tokens_per_gpu,
          .low = p.tokens_per_gpu,
          .high = p.tokens_per_gpu,
          .label = labelled ? p.label : std::string(),
          .detail = detail_of(p),
          .weak = p.unstable};
}

}  // namespace

figures::scale scale_of(const std::string& name, const std::string& flag) {
  if (name.empty()) return figures::scale::linear;
  for (const auto& [known, scale] : known_scales)
    if (name == known) return scale;
  throw base::error("unknown scale \"" + name + "\"",
                    fmt::format("use one of {}", fmt::join(known_scales | std::views::keys, ", ")),
                    {flag, 0, 0});
}

std::string counts_of(const figure_data& data) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const facet& f : data.facets)
    for (const curve& c : f.curves)
      for (const point& p : c.points) {
        fewest = std::min(fewest, p.n);
        most = std::max(most, p.n);
      }
  return fmt::format(
      "{} of {}, {} for each point", plural(data.points(), "point"), plural(data.runs, "run"),
      fewest == most ? plural(most, "run") : fmt::format("{} to {} runs", fewest, most));
}

figures::figure picture_of(const figure_data& data, const std::string& title) {
  figures::figure out;
  out.title = title;
  out.x_label = data.x;
  out.y_label = data.y;
  out.x_scale = scale_of(data.scale_x, "--scale-x");
  out.y_scale = scale_of(data.scale_y, "--scale-y");
  out.rows = data.rows;
  out.columns = data.columns;
  out.legend = false;
  bool bands = false;
  std::size_t off_scale = 0;
  for (const facet& f : data.facets) {
    figures::panel panel;
    panel.title = title_of(f);
    panel.row = f.row_place;
    panel.column = f.column_place;
    for (const curve& c : f.curves) {
      out.legend = out.legend || !c.by.empty();
      bands =
          bands || std::ranges::any_of(c.points, [](const point& p) { return p.sd.has_value(); });
      panel.curves.push_back(drawn_curve(data, c, c.by.size() > 3 ? "\n" : ", ", out, off_scale));
    }
    out.panels.push_back(std::move(panel));
  }
  out.notes.push_back(counts_of(data) + (bands ? "; bands: ± 1 sample standard deviation" : ""));
  if (const std::size_t n = unstable_points(data); n > 0)
    out.notes.push_back(fmt::format("{}: {}", plural(n, "unstable point"), unstable_note));
  add_origin_notes(data, out.notes);
  if (data.uncompleted > 0) out.notes.push_back(plural(data.uncompleted, "run") + uncompleted_note);
  if (data.left_out > 0)
    out.notes.push_back(plural(data.left_out, "run") + " without a finite " + data.x + " and " +
                        data.y + " not drawn");
  if (off_scale > 0)
    out.notes.push_back(plural(off_scale, "point") + " without a place on the scale not drawn");
  return out;
}

std::vector<std::string> pareto_notes(const pareto_data& data) {
  std::vector<std::string> out;
  if (const auto n = std::ranges::count_if(data.points, &pareto_point::peak); n > 0)
    out.push_back(
        fmt::format("the number of users of {} is the peak of requests in flight, because no "
                    "concurrency was set: tokens/s/user is not the speed of a real user",
                    plural(static_cast<std::size_t>(n), "run")));
  if (!data.unlabelled.empty())
    out.push_back(fmt::format("labels do not show {0}: add {1} with --label-by {2},{3}",
                              listed(data.unlabelled, ", "),
                              data.unlabelled.size() == 1 ? "it" : "them", listed(data.labels, ","),
                              listed(data.unlabelled, ",")));
  return out;
}

std::vector<std::string> frontier_lines(const pareto_data& data) {
  std::vector<std::string> out;
  for (const std::size_t at : data.frontier) {
    const pareto_point& p = data.points[at];
    std::string label = p.label;
    for (std::size_t end = label.find('\n'); end != std::string::npos; end = label.find('\n', end))
      label.replace(end, 1, ", ");
    std::string line = fmt::format("{:.2f} tokens/s/user, {:.2f} tokens/s/GPU", p.tokens_per_user,
                                   p.tokens_per_gpu);
    if (!label.empty()) line += ", " + label;
    line += "; " + runs_text(p);
    if (p.unstable) line += "; unstable";
    out.push_back(std::move(line));
  }
  return out;
}

figures::figure picture_of(const pareto_data& data, const std::string& title) {
  figures::figure out;
  out.title = title;
  out.x_label = "Tokens/s/user";
  out.y_label = "Tokens/s/GPU";
  figures::curve all;
  all.label = "All runs";
  all.line = false;
  all.grey = true;
  std::size_t unstable_runs = 0;
  for (const pareto_point& p : data.points) {
    all.points.push_back(drawn_point(p, false));
    unstable_runs += p.unstable ? 1U : 0U;
  }
  figures::curve frontier;
  frontier.label = "Pareto frontier";
  for (const std::size_t at : data.frontier)
    frontier.points.push_back(drawn_point(data.points[at], true));
  figures::panel panel;
  panel.curves = {std::move(all), std::move(frontier)};
  out.panels.push_back(std::move(panel));
  out.notes.push_back(fmt::format(
      "{}, {} on the frontier; a point is one run and no mean, so the frontier shows the highest "
      "of repeated runs",
      plural(data.points.size(), "run"), data.frontier.size()));
  for (const std::string& line : frontier_lines(data))
    out.notes.push_back("Frontier: " + line);
  if (unstable_runs > 0)
    out.notes.push_back(
        fmt::format("{}: {}", plural(unstable_runs, "unstable run"), unstable_note));
  for (std::string& note : pareto_notes(data))
    out.notes.push_back(std::move(note));
  if (data.uncompleted > 0) out.notes.push_back(plural(data.uncompleted, "run") + uncompleted_note);
  if (data.skipped > 0)
    out.notes.push_back(plural(data.skipped, "run") + " without a number of users not drawn");
  return out;
}

}  // namespace inferbench::plot

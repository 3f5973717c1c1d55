#include "perf/compare_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

// The palette of the figures library: blue, a red, and six more. Blue and red are the limits', so
// that a file has the same colour in each plot.
constexpr int palette_size = 8;
constexpr int tpot_limit_colour = 0;
constexpr int ttft_limit_colour = 1;
constexpr int file_colours = palette_size - 2;

/// The colour of a file; beyond the palette with the next pattern.
int file_colour(std::size_t file) {
  const int number = static_cast<int>(file % 1000);
  return 2 + number % file_colours + palette_size * (number / file_colours);
}

std::string axis_label(const compared_frame& part) {
  // The title of TPOT, "P99" or "Median", says nothing on an axis.
  return part.role == metric_role::tpot ? part.metric + " TPOT (ms)" : part.metric;
}

figures::point drawn_value(double x, double y, const std::string& label, const std::string& x_title,
                           const std::string& y_title) {
  figures::point out;
  out.x = x;
  out.y = out.low = out.high = y;
  out.detail = fmt::format("{}\n{} {:.2f}\n{} {:.2f}", label, x_title, x, y_title, y);
  return out;
}

/// A folder for one picture; the destructor removes it.
class picture_folder {
 public:
  picture_folder() {
    std::error_code wrong;
    std::string name = (fs::temp_directory_path(wrong) / "inferbench-plot-XXXXXX").string();
    if (wrong || ::mkdtemp(name.data()) == nullptr)
      throw base::error("cannot create a folder for temporary files",
                        "set TMPDIR to a folder in which files can be created");
    root_ = name;
  }
  picture_folder(const picture_folder&) = delete;
  picture_folder& operator=(const picture_folder&) = delete;
  ~picture_folder() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  [[nodiscard]] std::string file() const { return (root_ / "plot.svg").string(); }

 private:
  fs::path root_;
};

void replace_each(std::string& in, std::string_view what, const std::string& with) {
  for (std::size_t at = in.find(what); at != std::string::npos;
       at = in.find(what, at + with.size()))
    in.replace(at, what.size(), with);
}

}  // namespace

figures::figure comparison_plot(const compared_frame& part, std::string_view x_axis,
                                const compared_limits& limits) {
  figures::figure out;
  out.x_label = x_axis;
  out.y_label = axis_label(part);
  out.title = out.y_label + " against " + out.x_label;
  out.height_inches = 4;
  figures::panel panel;
  const auto place = part.place_of(x_axis);
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (std::size_t file = 0; file < part.labels.size(); ++file) {
    figures::curve curve;
    curve.label = part.labels[file];
    curve.colour = file_colour(file);
    for (const compared_row& row : part.rows) {
      const auto* const x = place ? std::get_if<double>(&row.key[*place]) : nullptr;
      const std::optional<double>& y = row.entries[file].value;
      if (x == nullptr || !y || !std::isfinite(*x) || !std::isfinite(*y)) continue;
      curve.points.push_back(drawn_value(*x, *y, curve.label, out.x_label, out.y_label));
      first = std::min(first, *x);
      last = std::max(last, *x);
    }
    panel.curves.push_back(std::move(curve));
  }
  if (part.role != metric_role::throughput && first <= last) {
    const bool ttft = part.role == metric_role::ttft;
    const double limit = ttft ? limits.ttft_ms : limits.tpot_ms;
    figures::curve line;
    line.label = ttft ? "TTFT limit" : "TPOT limit";
    line.colour = ttft ? ttft_limit_colour : tpot_limit_colour;
    line.dash = 1;
    line.points.push_back(drawn_value(first, limit, line.label, out.x_label, out.y_label));
    if (last > first)
      line.points.push_back(drawn_value(last, limit, line.label, out.x_label, out.y_label));
    panel.curves.push_back(std::move(line));
  }
  out.panels.push_back(std::move(panel));
  return out;
}

bool has_points(const figures::figure& what) noexcept {
  return std::ranges::any_of(what.panels.front().curves,
                             [](const figures::curve& curve) { return !curve.points.empty(); });
}

std::string inline_svg(const figures::figure& what, const std::string& id) {
  const picture_folder folder;
  try {
    figures::write_svg(what, folder.file());
  } catch (const std::exception& e) {
    throw base::error(e.what());
  }
  std::string out = base::read_file(folder.file());
  // A page has one XML declaration at most, and many pictures, each with a "clip1".
  out.erase(0, out.find("<svg"));
  replace_each(out, "id=\"clip", "id=\"" + id + "-clip");
  replace_each(out, "clip-path=\"url(#clip", "clip-path=\"url(#" + id + "-clip");
  return out;
}

}  // namespace inferbench::perf

// The command `sweep boundary`.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "plot/boundary.hpp"
#include "plot/commands.hpp"
#include "plot/picture_files.hpp"
#include "plot/plot_request.hpp"

namespace inferbench::plot {

void show_boundary(std::span<const std::string> args, base::output& out) {
  const boundary_request request = parse_boundary(args);
  if (!request.help.empty()) {
    out.write(request.help);
    return;
  }
  const run_table table = run_table::read(request.folder);
  const boundary_data data = boundary_of(request.boundary, table.rows());
  out.write(boundary_text(request.boundary, data));
  if (data.skipped > 0)
    out.write(fmt::format("Skipped runs without a finite {}: {}\n",
                          request.boundary.concurrency_var, data.skipped));
  if (data.uncompleted > 0)
    out.write(
        fmt::format("Note: {} without a completed request {} counted, and left out of throughput "
                    "and latencies\n",
                    data.uncompleted == 1 ? "1 run" : std::to_string(data.uncompleted) + " runs",
                    data.uncompleted == 1 ? "is" : "are"));
  if (data.mixed)
    out.write(
        "Note: a row has runs of several combinations; name the keys that tell them apart with "
        "--group-by\n");
  if (std::ranges::none_of(data.rows,
                           [](const boundary_row& r) { return r.p95_e2el_ms.has_value(); }))
    out.write(
        "No run has p95_e2el_ms: benchmark with --percentile-metrics ttft,tpot,itl,e2el and "
        "--metric-percentiles 50,95,99\n");
  const std::string path = joined_path(request.folder, "boundary.csv");
  write_text(path, boundary_csv(request.boundary, data));
  out.write("Output file: " + path + "\n");
}

}  // namespace inferbench::plot

// The commands that read the results of an experiment: `inferbench sweep plot`, `sweep plot_pareto`
// and `sweep boundary`. Each reads every summary.json below a folder, prints to `out`, and writes
// its files. With --help among `args` a command prints its help and does nothing else.
#pragma once

#include <span>
#include <string>

#include "base/output.hpp"

namespace inferbench::plot {

/// `args`: the arguments after the name of the command. All functions throw options::usage_error
/// for arguments that cannot be read (exit status 2) and base::error for every other failure
/// (exit status 1). A figure that cannot be drawn does not stop the other figures; draw() throws
/// after the last figure.
void draw(std::span<const std::string> args, base::output& out);
void draw_pareto(std::span<const std::string> args, base::output& out);
void show_boundary(std::span<const std::string> args, base::output& out);

}  // namespace inferbench::plot

// The command `perf convert`.
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/output.hpp"
#include "options/environment.hpp"
#include "perf/commands.hpp"
#include "perf/conversion.hpp"
#include "scripts/flag_line.hpp"

namespace inferbench::perf {

namespace {

constexpr scripts::flag_row convert_flags[] = {
    {"result", 'r', "", "FOLDER", "results", "Folder of the results"},
    {"descriptions", 0, "", "FILE", "",
     "Template of the page. Default: performance-benchmarks-descriptions.md in the working folder, "
     "or the built-in template if there is no such file"},
};

}  // namespace

int convert(std::span<const std::string> args, base::output& to) {
  const scripts::flag_line line(convert_flags, args, {});
  if (line.asks_for_help()) {
    to.write(scripts::flags_help(
        "inferbench perf convert [FLAG]...",
        "Make benchmark_results.md and benchmark_results.json from the results in "
        "a folder.",
        convert_flags));
    return 0;
  }
  const std::string folder = line.text("result");
  const result_tables tables = convert_folder(
      folder, line.given("descriptions") ? std::optional(line.text("descriptions")) : std::nullopt);
  for (const std::string& each : tables.notices)
    to.write(each + "\n");
  for (const char* const each : {page_name, rows_name})
    to.write("Saved: " + (std::filesystem::path(folder) / each).string() + "\n");
  return 0;
}

}  // namespace inferbench::perf

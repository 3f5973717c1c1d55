#include "experiment/experiment_texts.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::experiment {

std::string resume_hint(const sweep::plan& plan) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(fs::path(plan.output_dir) / plan.experiment, ignored))
    return "no run has begun, so start the sweep again";
  const bool from_toml = !plan.result_reporter.empty();
  return (from_toml ? "--resume --set sweep.name=" : "--resume --experiment-name ") +
         base::shell_word(plan.experiment) + " continues from the last finished run";
}

std::string dry_run_text(const sweep::plan& plan, std::size_t combinations) {
  const auto counted = [](std::size_t count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  const auto each = static_cast<std::size_t>(plan.num_runs);
  const std::string runs = counted(each, "run");
  std::string how = runs + " of each level";
  if (!sweep::has_levels(plan.does))
    how = fmt::format("{} of each, {} in total", runs, combinations * each);
  else if (plan.search == sweep::sla_search::certified)
    how = "one search for each set of criteria";
  return fmt::format("Dry run: {}, {}; nothing was started.", counted(combinations, "combination"),
                     how);
}

}  // namespace inferbench::experiment

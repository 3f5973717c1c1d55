#include "compare/run_copies.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "compare/measured_run.hpp"

namespace inferbench::compare {

namespace {

/// The name of a run alone can occur twice: processes of two containers have the same number.
using run_identity = std::pair<std::string, std::int64_t>;

/// The first file of a run.
struct first_file {
  std::size_t group = 0;
  std::filesystem::path file;
};

/// A run with `--save-result` has a journal beside its result.
void drop_journals_with_results(run_group& of, std::vector<std::string>& notes) {
  std::set<std::string> names;
  for (const measured_run& each : of.runs)
    if (each.result != nullptr && !each.name.empty()) names.insert(each.name);
  const auto dropped = std::erase_if(of.runs, [&](const measured_run& each) {
    return each.result == nullptr && names.contains(each.name);
  });
  if (dropped > 0)
    notes.push_back(fmt::format("{}: left out {}, because the {} a result file here", of.name,
                                dropped == 1 ? "1 journal" : fmt::format("{} journals", dropped),
                                dropped == 1 ? "run has" : "runs have"));
}

}  // namespace

void leave_out_copies(std::vector<run_group>& groups, std::vector<std::string>& notes) {
  std::map<run_identity, first_file> seen;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    run_group& group = groups[i];
    drop_journals_with_results(group, notes);
    std::vector<measured_run> kept;
    for (measured_run& each : group.runs) {
      if (!each.name.empty() && each.started_unix_ns != 0) {
        const auto [at, is_new] =
            seen.try_emplace({each.name, each.started_unix_ns}, first_file{i, each.file});
        if (!is_new && at->second.group != i)
          throw base::error(
              fmt::format("the run is also in the group {}, as {}", groups[at->second.group].name,
                          base::one_line(at->second.file.string())),
              "compare each run once", {each.file.string(), 0, 0});
        if (!is_new) continue;
      }
      kept.push_back(std::move(each));
    }
    if (const std::size_t dropped = group.runs.size() - kept.size(); dropped > 0)
      notes.push_back(fmt::format("{}: left out {} of {} that another file here has", group.name,
                                  dropped == 1 ? "1 copy" : fmt::format("{} copies", dropped),
                                  dropped == 1 ? "a run" : "runs"));
    group.runs = std::move(kept);
  }
}

}  // namespace inferbench::compare

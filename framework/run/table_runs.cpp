#include "run/table_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::run {

namespace {

/// The last `folders` folders of the file, its name without ending, and "/" between them.
std::string tail_of(const std::filesystem::path& file, std::size_t folders) {
  std::string out = file.stem().string();
  std::filesystem::path at = file.parent_path();
  for (; folders > 0 && at.has_filename(); --folders, at = at.parent_path())
    out.insert(0, at.filename().string() + "/");
  return out;
}

std::size_t depth_of(const std::filesystem::path& file) {
  return static_cast<std::size_t>(std::distance(file.begin(), file.end()));
}

/// Gives new labels to the runs `same`, whose labels are equal: the name of each run's journal
/// after as few of its folders as tell the journals apart.
void tell_apart(const std::vector<std::size_t>& same,
                std::span<const std::filesystem::path> journals, std::vector<std::string>& labels) {
  std::size_t deepest = 0;
  std::set<std::filesystem::path> files;
  for (const std::size_t i : same) {
    deepest = std::max(deepest, depth_of(journals[i]));
    files.insert(journals[i].lexically_normal());
  }
  for (std::size_t folders = 0; folders < deepest; ++folders) {
    std::set<std::string> tails;
    for (const std::size_t i : same)
      tails.insert(tail_of(journals[i], folders));
    if (tails.size() < files.size() && folders + 1 < deepest) continue;
    for (const std::size_t i : same)
      labels[i] = base::one_line(tail_of(journals[i], folders));
    return;
  }
}

std::optional<double> concurrency_of(const ifb::run_description& run) {
  if (!run.max_concurrency) return std::nullopt;
  return static_cast<double>(*run.max_concurrency);
}

std::optional<double> rate_of(const ifb::run_description& run) {
  if (run.has_other_schedule() || !std::isfinite(run.request_rate)) return std::nullopt;
  return run.request_rate;
}

constexpr std::array possible_axes{
    table_axis{"max_concurrency", "request", "Maximum request concurrency", &concurrency_of},
    table_axis{"request_rate", "request/s", "Request rate", &rate_of}};

}  // namespace

std::vector<std::string> labels_of(std::span<const std::filesystem::path> journals,
                                   std::span<const ifb::run_description> descriptions) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < journals.size(); ++i) {
    const std::optional<std::string>& own = descriptions[i].label;
    out.push_back(base::one_line(own && !own->empty() ? *own : journals[i].stem().string()));
  }
  const std::vector<std::string> first = out;
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::vector<std::size_t> same;
    for (std::size_t k = 0; k < first.size(); ++k)
      if (first[k] == first[i]) same.push_back(k);
    if (same.size() > 1 && same.front() == i) tell_apart(same, journals, out);
  }
  std::set<std::string> used;
  for (std::string& label : out) {
    const std::string bare = label;
    for (int n = 2; !used.insert(label).second; ++n)
      label = fmt::format("{} ({})", bare, n);
  }
  return out;
}

std::vector<table_axis> axes_of(std::span<const ifb::run_description> descriptions) {
  std::vector<table_axis> out;
  for (const table_axis& axis : possible_axes) {
    std::set<double> values;
    for (const ifb::run_description& run : descriptions)
      if (const auto value = axis.value(run)) values.insert(*value);
    if (values.size() > 1) out.push_back(axis);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> axis_values(std::span<const table_axis> axes,
                                                             const ifb::run_description& of) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const table_axis& axis : axes)
    if (const auto value = axis.value(of)) out.emplace_back(axis.name, fmt::format("{}", *value));
  return out;
}

std::string table_name(std::string_view first_run, std::size_t runs) {
  if (runs < 2) return std::string(first_run);
  return fmt::format("{}-and-{}-more", first_run, runs - 1);
}

}  // namespace inferbench::run

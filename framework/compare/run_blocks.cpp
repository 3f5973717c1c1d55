#include "compare/run_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"

namespace inferbench::compare {

namespace {

constexpr std::size_t runs_of_arm = 2;
constexpr std::size_t runs_in_block = 4;

/// The runs of a block that are there.
struct partial_block {
  std::array<std::array<std::optional<std::size_t>, 2>, 2> runs;  // by arm and number

  [[nodiscard]] bool whole() const {
    return std::ranges::all_of(runs, [](const auto& of_arm) {
      return std::ranges::all_of(of_arm, [](const auto& run) { return run.has_value(); });
    });
  }
};

/// A run in the order of all runs.
struct started_run {
  std::int64_t started_unix_ns = 0;
  char group = 'A';
  std::size_t index = 0;
};

std::vector<started_run> in_order_of_start(const run_group& base, const run_group& other) {
  std::vector<started_run> out;
  for (const auto& [group, letter] : {std::pair(&base, 'A'), std::pair(&other, 'B')})
    for (std::size_t i = 0; i < group->runs.size(); ++i) {
      const measured_run& run = group->runs[i];
      if (run.started_unix_ns == 0)
        throw base::error("the file does not say when its run began, so its block is not known",
                          "leave out --blocks", {run.file.string(), 0, 0});
      out.push_back({run.started_unix_ns, letter, i});
    }
  std::ranges::stable_sort(out, {}, &started_run::started_unix_ns);
  return out;
}

}  // namespace

found_blocks blocks_by_place(const run_group& base, const run_group& other) {
  std::map<std::size_t, partial_block> all;
  std::string id;
  std::size_t arm = 0;
  for (const run_group* group : {&base, &other}) {
    for (std::size_t i = 0; i < group->runs.size(); ++i) {
      const std::optional<block_place>& place = group->runs[i].place;
      if (!place || (!id.empty() && place->id != id)) return {};
      id = place->id;
      // The arms may be named in the other order: the first group is the base.
      if (i > 0 && place->arm != group->runs.front().place->arm) return {};
      auto& at = all[place->block].runs.at(arm).at(place->number);
      if (at) return {};
      at = i;
    }
    ++arm;
  }
  found_blocks out;
  std::size_t cut = 0;
  for (const auto& [number, block] : all) {
    if (!block.whole()) {
      ++cut;
      continue;
    }
    out.blocks.push_back(
        {{*block.runs[0][0], *block.runs[0][1]}, {*block.runs[1][0], *block.runs[1][1]}});
  }
  if (out.blocks.empty() && cut > 0)
    out.notes.emplace_back("no block is complete, so the runs are compared without blocks");
  else if (cut > 0)
    out.notes.push_back(fmt::format("{} not complete, so {} runs are left out",
                                    cut == 1 ? "1 block is" : fmt::format("{} blocks are", cut),
                                    cut == 1 ? "its" : "their"));
  return out;
}

std::vector<comparison::compared_block> blocks_by_start(const run_group& base,
                                                        const run_group& other, std::size_t count) {
  for (const run_group* group : {&base, &other})
    if (group->runs.size() != runs_of_arm * count)
      throw base::error(fmt::format("{} blocks need {} runs of {}, and it has {}", count,
                                    runs_of_arm * count, group->name, group->runs.size()),
                        "a block has two runs of each group", {"--blocks", 0, 0});
  const std::vector<started_run> order = in_order_of_start(base, other);
  std::vector<comparison::compared_block> out;
  for (std::size_t first = 0; first < order.size(); first += runs_in_block) {
    std::string letters;
    std::vector<std::size_t> a, b;
    for (std::size_t i = first; i < first + runs_in_block; ++i) {
      letters += order[i].group;
      (order[i].group == 'A' ? a : b).push_back(order[i].index);
    }
    if (letters != "ABBA" && letters != "BAAB")
      throw base::error(
          fmt::format("block {} was made in the order {}, and not ABBA: a change of the server "
                      "over time would look like a difference",
                      out.size() + 1, letters),
          "leave out --blocks, which compares the groups without pairs", {"--blocks", 0, 0});
    out.push_back({{a[0], a[1]}, {b[0], b[1]}});
  }
  return out;
}

}  // namespace inferbench::compare

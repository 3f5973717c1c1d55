#include "compare/paired_runs.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <inferbench/json_reader.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "experiment/foreground_command.hpp"
#include "experiment/result_file.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "experiment/sweep_progress.hpp"
#include "experiment/trial.hpp"
#include "options/node.hpp"
#include "supervise/supervised_process.hpp"
#include "sweep/benchmark_command.hpp"
#include "sweep/item.hpp"

namespace inferbench::compare {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t runs_of_block = 4;

std::string file_name_of(const planned_pair_run& which) {
  return fmt::format("block={}-run={}.json", which.block, which.number);
}

/// The members that tell later readers which runs belong together.
sweep::item members_of(const pair_folder& folder, const planned_pair_run& which) {
  const auto number = [](std::size_t value) {
    return options::node::of(static_cast<std::int64_t>(value));
  };
  return sweep::item()
      .with("compare_id", options::node::of(folder.id()))
      .with("compare_arm", number(which.arm))
      .with("compare_block", number(which.block))
      .with("compare_run", number(which.number));
}

experiment::trial trial_of_pair(const pair_folder& folder, const arm& of,
                                const planned_pair_run& which) {
  experiment::trial out;
  out.bench = members_of(folder, which);
  out.run_number = static_cast<int>(which.number);
  out.file = result_of(folder, of, which);
  out.part = folder.part() / of.folder / file_name_of(which);
  out.command = sweep::benchmark_command(of.runs, {}, out.part);
  return out;
}

/// ", cache hits 0.4 %" if the run states them.
std::string cache_text(const ifb::json_value& result) {
  for (const char* path :
       {"inferbench.facts.prefix_cache.hit_rate", "inferbench.facts.prefix_cache.observed_share"})
    if (const ifb::json_value* share = ifb::find_path(result, path);
        share != nullptr && share->IsNumber())
      return fmt::format(", prefix cache hits {:.1f} %", 100 * share->GetDouble());
  return {};
}

std::int64_t failed_requests(const ifb::json_value& result) {
  const ifb::json_value* stated = ifb::find_path(result, "inferbench.facts.accounting.failed");
  return ifb::integer_of(stated == nullptr ? ifb::find(result, "failed") : stated, 0);
}

/// ", 3 of 20 requests failed" if the run states that requests failed.
std::string failures_text(const ifb::json_value& result) {
  const std::int64_t failed = failed_requests(result);
  const std::int64_t completed = ifb::integer_of(ifb::find(result, "completed"), 0);
  if (failed <= 0 || completed < 0) return {};
  return fmt::format(", {} of {} requests failed", failed, failed + completed);
}

class pair_session {
 public:
  pair_session(const std::array<arm, 2>& arms, std::size_t blocks, const pair_folder& folder,
               const pair_tools& with)
      : arms_(arms),
        blocks_(blocks),
        folder_(folder),
        with_(with),
        console_(with.out, ::isatty(STDERR_FILENO) == 1, [](std::string_view text) {
          supervise::pass_on(supervise::stream::error, text);
        }) {}

  pair_outcome carried_out() {
    pair_outcome out;
    std::size_t of_block = 0;
    const std::vector<planned_pair_run> order = abba_order(blocks_);
    left_ = order.size();
    try {
      for (const planned_pair_run& each : order) {
        out.files.at(each.arm).push_back(visited(each));
        --left_;
        if (++of_block < runs_of_block) continue;
        of_block = 0;
        ++out.whole_blocks;
        if (with_.after_block) with_.after_block(out);
      }
    } catch (const experiment::stopped_sweep&) {
      out.interrupted = true;
    }
    folder_.tidy();
    return out;
  }

 private:
  /// The file of the run, which is made unless it is there.
  fs::path visited(const planned_pair_run& which) {
    const arm& of = arms_.at(which.arm);
    const experiment::trial here = trial_of_pair(folder_, of, which);
    const std::string name = fmt::format("block {} of {}, {}", which.block + 1, blocks_, of.name);
    sweep::run_object result = found_run(here.file);
    const bool found = result != nullptr;
    if (!found) result = made(here, name);
    console_.line(fmt::format("{}: {}{}{}{}", name, experiment::figures_text(*result),
                              failures_text(*result), cache_text(*result),
                              found ? " (made before)" : ""));
    return here.file;
  }

  /// The result of this comparison that is there; nullptr if there is none.
  [[nodiscard]] sweep::run_object found_run(const fs::path& file) {
    std::error_code unknown;
    if (!fs::exists(file, unknown)) return nullptr;
    try {
      sweep::run_object out = experiment::read_result(file);
      if (ifb::text_of(ifb::find(*out, "compare_id")) == folder_.id()) return out;
      console_.line(file.string() + " belongs to another comparison, so the run is made again");
    } catch (const base::error& why) {
      console_.line(std::string("Not usable, so the run is made again: ") + why.what());
    }
    return nullptr;
  }

  sweep::run_object made(const experiment::trial& what, const std::string& name) {
    if (with_.stop) throw experiment::stopped_sweep();
    if (::isatty(STDERR_FILENO) == 1) console_.status(name + time_left());
    with_.wait_until_idle();
    if (with_.stop) throw experiment::stopped_sweep();
    const std::uint64_t began = clock_.now();
    try {
      sweep::run_object out = experiment::carried_out(
          what, {.console = console_, .show_stdout = with_.show_stdout, .stop = with_.stop});
      if (failed_requests(*out) > 0 && !with_.server_answers()) drop(what, name);
      spent_ += clock_.now() - began;
      ++made_;
      return out;
    } catch (const experiment::failed_run& why) {
      folder_.tidy();
      throw base::error(
          name + ": " + why.whole_text(),
          "correct it, and continue with --resume --result-dir " + folder_.path().string());
    }
  }

  /// A run during which the server ended says nothing about it.
  void drop(const experiment::trial& what, const std::string& name) const {
    std::error_code unknown;
    fs::remove(what.file, unknown);
    if (with_.stop) throw experiment::stopped_sweep();
    throw base::error(name + ": requests failed and the server does not answer any more",
                      "start the server again, and continue with --resume --result-dir " +
                          folder_.path().string());
  }

  [[nodiscard]] std::string time_left() const {
    if (made_ == 0) return {};
    const std::uint64_t seconds = spent_ / made_ * left_ / base::ns_per_s;
    return fmt::format(", {:02}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  const std::array<arm, 2>& arms_;
  std::size_t blocks_;
  const pair_folder& folder_;
  const pair_tools& with_;
  base::monotonic_clock clock_;
  experiment::sweep_console console_;
  std::uint64_t spent_ = 0;  // by the runs that were made
  std::size_t made_ = 0;
  std::size_t left_ = 0;
};

}  // namespace

std::vector<planned_pair_run> abba_order(std::size_t blocks) {
  std::vector<planned_pair_run> out;
  for (std::size_t block = 0; block < blocks; ++block)
    for (const auto& [arm, number] :
         {std::pair<std::size_t, std::size_t>{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      out.push_back({block, arm, number});
  return out;
}

fs::path result_of(const pair_folder& folder, const arm& of, const planned_pair_run& which) {
  return folder.path() / of.folder / file_name_of(which);
}

pair_outcome make_paired_runs(const std::array<arm, 2>& arms, std::size_t blocks,
                              const pair_folder& folder, const pair_tools& with) {
  return pair_session(arms, blocks, folder, with).carried_out();
}

}  // namespace inferbench::compare

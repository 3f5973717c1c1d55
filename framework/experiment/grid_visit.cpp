#include "experiment/grid_visit.hpp"

#include <algorithm>
#include <utility>

#include "experiment/run_order.hpp"
#include "sweep/layout.hpp"

namespace inferbench::experiment {

namespace {

std::vector<sweep::run_object> results_in(const std::vector<std::optional<finished_run>>& runs) {
  std::vector<sweep::run_object> out;
  for (const std::optional<finished_run>& each : runs)
    if (each) out.push_back(each->result);
  return out;
}

}  // namespace

grid_visit::grid_visit(visit_tools with, const sweep::item& serve,
                       const std::vector<const sweep::item*>& benches, std::size_t before,
                       std::size_t of_all)
    : with_(std::move(with)), before_(before), of_all_(of_all) {
  const sweep::plan& plan = with_.plan;
  for (const sweep::item* bench : benches) {
    row each{combination_of(plan, serve, *bench, sweep::combination_folder(plan, serve, *bench)),
             {},
             plan.num_runs};
    each.runs.resize(static_cast<std::size_t>(plan.num_runs));
    std::size_t missing = 0;
    for (int number = 0; number < plan.num_runs; ++number)
      if (with_.series.found(each.what, number) == nullptr) ++missing;
    missing_ += missing + (missing > 0 && plan.warmup_prompts > 0 ? 1 : 0);
    rows_.push_back(std::move(each));
  }
}

void grid_visit::carry_out(std::size_t server) {
  const sweep::plan& plan = with_.plan;
  for (const planned_run& next :
       ordered_runs(rows_.size(), plan.num_runs, plan.in_order, plan.order_seed, server)) {
    row& at = rows_[next.combination];
    const sweep_position position{
        before_ + next.combination + 1, of_all_, {}, next.run_number + 1, plan.num_runs};
    at.runs[static_cast<std::size_t>(next.run_number)] =
        with_.series.run(at.what, next.run_number, position);
    if (--at.open == 0) conclude(at);
  }
}

void grid_visit::keep_found() {
  for (row& each : rows_) {
    if (each.open == 0) continue;
    for (int number = 0; number < with_.plan.num_runs; ++number) {
      std::optional<finished_run>& run = each.runs[static_cast<std::size_t>(number)];
      if (run) continue;
      if (sweep::run_object result = with_.series.found(each.what, number))
        run = finished_run{each.what.serve, each.what.bench, number,
                           with_.folder.of(each.what) / sweep::run_file(number), std::move(result)};
    }
    if (std::ranges::any_of(each.runs, [](const auto& run) { return run.has_value(); }))
      conclude(each);
  }
}

void grid_visit::conclude(const row& of) { with_.series.conclude(of.what, results_in(of.runs)); }

std::vector<finished_run> grid_visit::take_runs() {
  std::vector<finished_run> out;
  for (row& each : rows_)
    for (std::optional<finished_run>& run : each.runs)
      if (run) out.push_back(*std::exchange(run, std::nullopt));
  return out;
}

}  // namespace inferbench::experiment

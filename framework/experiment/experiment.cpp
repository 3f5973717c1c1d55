#include "experiment/experiment.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/experiment_folder.hpp"
#include "experiment/experiment_texts.hpp"
#include "experiment/grid_visit.hpp"
#include "experiment/level_visit.hpp"
#include "experiment/result_file.hpp"
#include "experiment/run_series.hpp"
#include "experiment/server.hpp"
#include "experiment/startable.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "experiment/sweep_progress.hpp"
#include "pytext/python_text.hpp"
#include "supervise/supervised_process.hpp"
#include "sweep/command.hpp"
#include "sweep/runnable.hpp"
#include "sweep/summary_csv.hpp"

namespace inferbench::experiment {

namespace {

namespace fs = std::filesystem;

constexpr const char* csv_name = "summary.csv";

void tell_stderr(std::string_view text) { supervise::pass_on(supervise::stream::error, text); }

bool completes_nothing(const finished_run& run) { return sweep::completed_nothing(*run.result); }

/// The combinations of one server that run.
struct server_group {
  const sweep::item* serve = nullptr;
  std::vector<const sweep::item*> benches;  // one for each combination
  std::size_t before = 0;                   // how many combinations the groups before have
  std::optional<grid_visit> grid;           // without levels; searches visit each combination
};

class whole_experiment {
 public:
  whole_experiment(const sweep::plan& plan, base::output& out, const std::atomic<bool>& stop)
      : plan_(plan),
        stop_(stop),
        terminal_(::isatty(STDERR_FILENO) == 1),
        console_(out, terminal_, tell_stderr),
        progress_(clock_, terminal_, [this](const std::string& text) { console_.status(text); }),
        folder_(plan, tell()),
        series_(plan, folder_, console_, progress_, stop) {
    conditions_.links = plan.links;
    conditions_.excludes = plan.excludes;
    // Links to the variable of the levels are checked for each level.
    if (sweep::has_levels(plan.does))
      std::erase_if(conditions_.links, [&](const sweep::link& each) {
        return each.bench_key == plan.variable || each.bench_key == "max_concurrency";
      });
  }

  outcome carried_out() {
    outcome_.folder = folder_.path();
    for (const std::string& each : plan_.notes)
      console_.line(each);
    for (const std::string& each : sweep::repetitions_in(plan_))
      console_.aside("Warning: " + each);
    if (plan_.dry_run)
      for (const program_use& each : programs_of(plan_))
        if (const std::string why = why_no_program(each.name); !why.empty())
          console_.aside("Warning: " + each.setting + ": " + why);
    require_goals(plan_);
    require_servers(plan_);
    make_groups();
    try {
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        visit_server(i);
        take_runs(groups_[i]);
      }
      write_csv();
    } catch (const stopped_sweep&) {
      // The runs of the groups that the sweep has not left.
      for (server_group& each : groups_)
        take_runs(each);
      outcome_.interrupted = true;
    } catch (const base::error& e) {
      folder_.tidy();
      throw ended_early(e);
    }
    folder_.tidy();
    outcome_.all_made = outcome_.all_made && series_.all_made();
    if (plan_.does != sweep::kind::sla)
      outcome_.all_completed = std::ranges::none_of(outcome_.runs, completes_nothing);
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] sweep::tell_line tell() {
    return [this](const std::string& text) { console_.line(text); };
  }

  [[nodiscard]] server_setup setup_for(const sweep::item& serve) {
    return {.command = sweep::applied(plan_.serve_command, serve),
            .ready_timeout_s = plan_.ready_timeout_s,
            .with = {.console = console_, .show_stdout = plan_.show_stdout, .stop = stop_}};
  }

  /// A sweep whose runs all have results needs no program.
  void require_programs_once() {
    if (!plan_.dry_run && !std::exchange(programs_there_, true)) require_programs(plan_);
  }

  void make_groups() {
    for (const sweep::item& serve : plan_.serve_items) {
      server_group group;
      group.serve = &serve;
      group.before = combinations_;
      for (const sweep::item& bench : plan_.bench_items)
        if (sweep::runs(conditions_, serve, bench)) group.benches.push_back(&bench);
      combinations_ += group.benches.size();
      groups_.push_back(std::move(group));
    }
    if (sweep::has_levels(plan_.does)) return;
    for (server_group& each : groups_)
      each.grid.emplace(tools(), *each.serve, each.benches, each.before, combinations_);
  }

  [[nodiscard]] visit_tools tools() { return {plan_, folder_, series_, tell()}; }

  [[nodiscard]] level_visit visit_of(const server_group& group, std::size_t bench) {
    return {tools(), *group.serve, *group.benches[bench], group.before + bench + 1, combinations_};
  }

  /// Whether runs of the group are to be made.
  [[nodiscard]] bool has_work(const server_group& group) {
    if (group.grid) return group.grid->missing() > 0;
    if (!folder_.is_there()) return !group.benches.empty();
    for (std::size_t i = 0; i < group.benches.size(); ++i)
      if (!visit_of(group, i).is_complete()) return true;
    return false;
  }

  void visit_server(std::size_t index) {
    server_group& group = groups_[index];
    series_.close();
    show_left(index);
    if (!has_work(group)) return make_runs(index);
    require_programs_once();
    if (plan_.serve_command.empty()) {
      if (!plan_.dry_run) series_.open(nullptr);
      return make_runs(index);
    }
    const server_setup setup = setup_for(*group.serve);
    console_.line("[BEGIN SERVER]");
    console_.line("Server overrides: " + pytext::python_repr(group.serve->table()));
    console_.line("Server command: " + pytext::python_repr(sweep::without_secrets(setup.command)));
    if (plan_.dry_run) {
      make_runs(index);
    } else {
      try {
        const std::unique_ptr<server> started = start(setup);
        remove_failure_of(*group.serve);
        series_.open(started.get());
        make_runs(index);
      } catch (const failed_server& e) {
        note_failed_server(*group.serve, e);
        if (group.grid) group.grid->keep_found();
      }
      series_.close();
    }
    console_.line("[END SERVER]");
  }

  [[nodiscard]] std::unique_ptr<server> start(const server_setup& setup) const {
    try {
      return std::make_unique<server>(setup);
    } catch (const base::error& e) {
      if (stop_) throw stopped_sweep();
      throw failed_server(e.message(), e.remedy(), e.where());
    }
  }

  void make_runs(std::size_t index) {
    server_group& group = groups_[index];
    if (group.grid) return group.grid->carry_out(index);
    for (std::size_t i = 0; i < group.benches.size(); ++i) {
      show_left(index, i);
      std::vector<finished_run> runs = carried_out_visit(visit_of(group, i));
      // A level that completes nothing is an answer of a search, except if all levels are such.
      if (plan_.does == sweep::kind::sla && !runs.empty() &&
          std::ranges::all_of(runs, completes_nothing))
        outcome_.all_completed = false;
      add(std::move(runs));
    }
  }

  void take_runs(server_group& from) {
    if (from.grid) add(from.grid->take_runs());
  }

  void add(std::vector<finished_run> runs) {
    outcome_.runs.insert(outcome_.runs.end(), std::make_move_iterator(runs.begin()),
                         std::make_move_iterator(runs.end()));
  }

  std::vector<finished_run> carried_out_visit(level_visit visit) {
    try {
      return visit.carried_out();
    } catch (const failed_server&) {
      throw;
    } catch (const stopped_sweep&) {
      throw;
    } catch (const base::error& e) {
      // With failed runs a search may lack the figures that it needs.
      if (!plan_.continue_on_error) throw;
      console_.line(std::string("[FAILED BENCHMARK COMBINATION] ") + e.what());
      outcome_.all_made = false;
      return {};
    }
  }

  void note_failed_server(const sweep::item& serve, const failed_server& why) {
    outcome_.all_made = false;
    folder_.create();
    const fs::path file = folder_.path() / server_failure_file(serve);
    write_durably(file, server_failure_text(why.what(), serve));
    console_.line("[FAILED SERVER COMBINATION] " + name_or_default(serve) + ": " + why.what());
    console_.line("Failure details: " + file.string());
  }

  void remove_failure_of(const sweep::item& serve) {
    std::error_code ignored;
    fs::remove(folder_.path() / server_failure_file(serve), ignored);
  }

  /// The number of runs that are left from the combination `bench` of a group on. A search does not
  /// know its levels in advance; an exploration makes at most its number of levels.
  void show_left(std::size_t index, std::size_t bench = 0) {
    if (plan_.does == sweep::kind::sla) return;
    std::size_t left = 0;
    if (!sweep::has_levels(plan_.does)) {
      for (std::size_t i = index; i < groups_.size(); ++i)
        left += groups_[i].grid->missing();
    } else {
      const int each = plan_.workload_iters * (plan_.num_runs + (plan_.warmup_prompts > 0 ? 1 : 0));
      left = (combinations_ - groups_[index].before - bench) * static_cast<std::size_t>(each);
    }
    progress_.set_left(left);
  }

  void write_csv() {
    if (!plan_.dry_run && outcome_.runs.empty())
      console_.line("No run has a result, so there is no summary.csv.");
    if (!plan_.dry_run && !outcome_.runs.empty()) {
      std::vector<const ifb::json_value*> rows;
      for (const finished_run& each : outcome_.runs)
        rows.push_back(each.result.get());
      write_durably(folder_.path() / csv_name, sweep::summary_csv(rows));
    }
    if (plan_.dry_run || folder_.is_there())
      console_.line(std::string("Experiment ") + (plan_.dry_run ? "will be" : "has been") +
                    " saved at: " + folder_.path().string());
    if (plan_.dry_run) console_.aside(dry_run_text(plan_, combinations_));
  }

  /// The error for a sweep that cannot go on.
  [[nodiscard]] base::error ended_early(const base::error& why) const {
    if (plan_.dry_run || !folder_.is_there()) return why;
    return base::error("the sweep was terminated early: " + why.message(),
                       (why.remedy().empty() ? "" : why.remedy() + "; ") + resume_hint(plan_),
                       why.where());
  }

  const sweep::plan& plan_;
  const std::atomic<bool>& stop_;
  bool terminal_;
  base::monotonic_clock clock_;
  sweep_console console_;
  sweep_progress progress_;
  experiment_folder folder_;
  run_series series_;
  sweep::plan conditions_;  // links and excludes only
  std::vector<server_group> groups_;
  std::size_t combinations_ = 0;
  bool programs_there_ = false;  // require_programs_once() was called
  outcome outcome_;
};

}  // namespace

outcome carry_out(const sweep::plan& plan, base::output& out, const std::atomic<bool>& stop) {
  return whole_experiment(plan, out, stop).carried_out();
}

}  // namespace inferbench::experiment

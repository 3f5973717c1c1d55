#include "experiment/level_visit.hpp"

#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"
#include "sweep/layout.hpp"
#include "sweep/runnable.hpp"
#include "sweep/sla_search.hpp"
#include "sweep/workload.hpp"

namespace inferbench::experiment {

namespace {

namespace fs = std::filesystem;

/// A run that a visit needs has no result.
class missing_run : public std::exception {};

/// The benchmark can be any program, whose options may mean something else.
std::optional<std::int64_t> known_size(const sweep::item& bench,
                                       const std::vector<std::string>& command) {
  try {
    return sweep::stated_size(bench, command);
  } catch (const base::error&) {
    return std::nullopt;
  }
}

/// The lines of the member `conclusion`, which find writes for people.
std::vector<std::string> conclusion_in(const ifb::json_value& result) {
  std::vector<std::string> out;
  const ifb::json_value* const lines = ifb::find(result, "conclusion");
  if (lines != nullptr && lines->IsArray())
    for (const auto& line : lines->GetArray())
      out.push_back(base::one_line(ifb::text_of(&line)));
  return out;
}

/// Says how the reporters get the runs of a search that was finished before, whose result names its
/// journals.
std::string text_for_reporters(const ifb::json_value& result) {
  const std::string_view journal = ifb::text_of(ifb::find_path(result, "probes.0.journal"));
  std::string out = "The search was finished before, so the reporters get no runs of it";
  if (!journal.empty())
    out += ": inferbench report " + base::shell_word(fs::path(journal).parent_path().string()) +
           "/*.journal --reporter NAME shows them";
  return out + ".";
}

}  // namespace

bool level_visit::is_complete() {
  try {
    static_cast<void>(visit(way::look));
  } catch (const missing_run&) {
    return false;
  } catch (const base::error&) {
    // The visit fails on the results that there are, and says so when it is carried out.
    return true;
  }
  return true;
}

std::vector<finished_run> level_visit::carried_out() {
  std::vector<finished_run> out;
  for (const sweep::run_object& each : visit(way::go))
    out.push_back(runs_.at(each.get()));
  return out;
}

std::vector<sweep::run_object> level_visit::visit(way how) {
  return with_.plan.does == sweep::kind::workload ? explore(how) : search(how);
}

sweep::tell_line level_visit::tell_in(way how) const {
  if (how == way::go) return with_.tell;
  return [](const std::string&) {};
}

std::vector<sweep::run_object> level_visit::explore(way how) {
  const sweep::workload_search search{with_.plan.variable, with_.plan.workload_iters,
                                      sweep::dataset_size(bench_, with_.plan.bench_command)};
  return sweep::explore_workload(
      search, serve_, bench_,
      [&](const sweep::workload_level& level) {
        const std::vector<std::string> pieces{"WL-",
                                              sweep::level_piece(with_.plan.variable, level.value)};
        return run(how,
                   combination_of(with_.plan, serve_, level.bench,
                                  sweep::folder_name(serve_, level.named, pieces)),
                   level.value);
      },
      tell_in(how));
}

std::vector<sweep::run_object> level_visit::search(way how) {
  const std::string base = sweep::folder_name(serve_, bench_);
  if (with_.plan.search == sweep::sla_search::certified) return certify(how, base);
  std::vector<sweep::run_object> out;
  for (const sweep::sla_set& set : with_.plan.sla_sets)
    for (sweep::run_object& each : search(how, set, base))
      out.push_back(std::move(each));
  return out;
}

std::vector<sweep::run_object> level_visit::search(way how, const sweep::sla_set& set,
                                                   const std::string& base) {
  const bool binary = with_.plan.search == sweep::sla_search::binary;
  const fs::path file = (base.empty() ? fs::path() : fs::path(base)) / sweep::sla_file(set);
  sweep::sla_search_setup setup;
  setup.variable = with_.plan.variable;
  setup.criteria = &set;
  setup.run = [&](std::int64_t level) { return run(how, level_below(base, level), level); };
  setup.requests = known_size(bench_, with_.plan.bench_command);
  setup.tell = tell_in(how);
  if (!binary) setup.known = levels_known_to(file.string(), base);
  const sweep::sla_outcome found =
      binary ? sweep::search_binary(setup) : sweep::search_spline(setup);
  if (found.made && how == way::go && !with_.plan.dry_run) {
    const fs::path whole = with_.folder.path() / file;
    create_folder(whole.parent_path());
    write_durably(whole, summary_json(found.runs));
  }
  return found.runs;
}

std::vector<sweep::run_object> level_visit::certify(way how, const std::string& base) {
  combination what = combination_of(with_.plan, serve_, bench_, base);
  std::vector<sweep::run_object> out;
  for (const sweep::sla_set& set : with_.plan.sla_sets) {
    what.criteria = set;
    if (how == way::look) {
      sweep::run_object result = with_.series.found(what, 0);
      if (result == nullptr) throw missing_run();
      out.push_back(std::move(result));
      continue;
    }
    const std::string criteria = sweep::text_of(set, ", ");
    with_.tell("[SLA START]");
    with_.tell("SLA criteria: " + criteria);
    const bool was_finished =
        !with_.plan.reporters.empty() && with_.series.found(what, 0) != nullptr;
    if (std::optional<finished_run> one =
            with_.series.run(what, 0, {number_, of_all_, base::one_line(criteria), 1, 1})) {
      for (const std::string& line : conclusion_in(*one->result))
        with_.tell(line);
      if (was_finished) with_.tell(text_for_reporters(*one->result));
      out.push_back(one->result);
      const ifb::json_document* const result = one->result.get();
      runs_.emplace(result, *std::move(one));
    }
    with_.tell("[SLA END]");
  }
  if (how == way::go) with_.series.conclude(what, out);
  return out;
}

sweep::level_runs level_visit::run(way how, const combination& what, std::int64_t level) {
  sweep::level_runs out;
  out.left_out = !sweep::runs(with_.plan, what.serve, what.bench);
  if (out.left_out) return out;
  for (int number = 0; number < with_.plan.num_runs; ++number) {
    if (how == way::look) {
      sweep::run_object result = with_.series.found(what, number);
      if (result == nullptr) throw missing_run();
      out.runs.push_back(std::move(result));
      continue;
    }
    const sweep_position at{number_, of_all_, sweep::level_piece(with_.plan.variable, level),
                            number + 1, with_.plan.num_runs};
    std::optional<finished_run> one = with_.series.run(what, number, at);
    if (!one) continue;
    out.runs.push_back(one->result);
    const ifb::json_document* const result = one->result.get();
    runs_.emplace(result, *std::move(one));
  }
  if (how == way::go) with_.series.conclude(what, out.runs);
  out.made = how == way::look || !with_.plan.dry_run;
  return out;
}

combination level_visit::level_below(const std::string& base, std::int64_t level) const {
  const std::string& variable = with_.plan.variable;
  const std::string piece = sweep::level_piece(variable, level);
  return combination_of(with_.plan, serve_, bench_.with(variable, options::node::of(level)),
                        base.empty() ? piece : base + "/" + piece);
}

std::map<std::int64_t, std::vector<sweep::run_object>> level_visit::levels_known_to(
    const std::string& search, const std::string& base) {
  std::map<std::int64_t, std::vector<sweep::run_object>> found;
  std::error_code ignored;
  const std::string prefix = with_.plan.variable + "=";
  for (const auto& entry : fs::directory_iterator(
           base.empty() ? with_.folder.path() : with_.folder.path() / base, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto level = base::parse_int(std::string_view(name).substr(prefix.size()));
    if (!level) continue;
    std::vector<sweep::run_object> runs = results_of(level_below(base, *level));
    if (!runs.empty()) found.emplace(*level, std::move(runs));
  }
  std::vector<std::int64_t> levels;
  for (const auto& each : found)
    levels.push_back(each.first);
  std::map<std::int64_t, std::vector<sweep::run_object>> out;
  for (const std::int64_t level : with_.folder.known_levels(search, levels))
    out.insert(found.extract(level));
  return out;
}

std::vector<sweep::run_object> level_visit::results_of(const combination& what) {
  std::vector<sweep::run_object> out;
  for (int number = 0; number < with_.plan.num_runs; ++number) {
    sweep::run_object result = with_.series.found(what, number);
    if (result == nullptr) return {};
    out.push_back(std::move(result));
  }
  return out;
}

}  // namespace inferbench::experiment

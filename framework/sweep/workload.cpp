#include "sweep/workload.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::sweep {

namespace {

constexpr std::int64_t upstream_default_prompts = 1000;
constexpr const char* concurrency_key = "max_concurrency";

std::int64_t checked_size(std::optional<std::int64_t> size, const std::string& text,
                          const base::source_position& where) {
  if (size && *size >= 1) return *size;
  throw base::error("the number of prompts should be a whole number of at least 1, not " + text,
                    "correct num_prompts", where);
}

std::int64_t size_of(const options::node& given) {
  std::optional<std::int64_t> size;
  if (given.is(options::node::kind::integer)) size = given.integer;
  if (given.is(options::node::kind::real) && given.real == std::floor(given.real) &&
      std::abs(given.real) < 1e15)
    size = static_cast<std::int64_t>(given.real);
  if (given.is(options::node::kind::text)) size = pytext::python_int(given.text);
  return checked_size(size, pytext::python_repr(given), given.where);
}

item with_level(const item& bench, const std::string& key, std::int64_t value) {
  return bench.with(key, options::node::of(value));
}

std::string in_brackets_if_none(const std::string& text) { return text.empty() ? "(None)" : text; }

}  // namespace

std::optional<std::int64_t> stated_size(const item& bench,
                                        const std::vector<std::string>& command) {
  // An item with both spellings sets one option twice, and the last value counts.
  const options::node* last = nullptr;
  const options::node& table = bench.table();
  for (std::size_t i = 0; i < table.items.size(); ++i)
    if (table.names[i] == "num_prompts" || table.names[i] == "num-prompts") last = &table.items[i];
  if (last != nullptr) return size_of(*last);
  std::optional<std::string> text;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string_view word = command[i];
    for (const std::string_view flag : {"--num-prompts", "--num_prompts"}) {
      if (word == flag && i + 1 < command.size()) text = command[i + 1];
      if (word.starts_with(flag) && word.substr(flag.size()).starts_with('='))
        text = word.substr(flag.size() + 1);
    }
  }
  if (!text) return std::nullopt;
  return checked_size(pytext::python_int(*text), pytext::python_repr(*text), {"--bench-cmd"});
}

std::int64_t dataset_size(const item& bench, const std::vector<std::string>& command) {
  return stated_size(bench, command).value_or(upstream_default_prompts);
}

std::vector<std::int64_t> levels_between(std::int64_t low, std::int64_t high, int iterations) {
  std::set<std::int64_t> out;
  // The points of numpy's linspace(). std::nearbyint() rounds half to even like Python's round().
  const double step = static_cast<double>(high - low) / (iterations - 1);
  for (int i = 1; i + 1 < iterations; ++i) {
    const double point = i * step + static_cast<double>(low);
    out.insert(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::nearbyint(point))));
  }
  return {out.begin(), out.end()};
}

std::vector<run_object> explore_workload(
    const workload_search& search, const item& serve, const item& bench,
    const std::function<level_runs(const workload_level& level)>& run, const tell_line& tell) {
  if (search.iterations < 2)
    throw base::error(
        "the number of levels must be at least 2, not " + std::to_string(search.iterations),
        "the serial and the batch level are two levels", {"--workload-iters"});
  const std::string& variable = search.variable;
  tell("[WL START]");
  tell("Serve parameters: " + in_brackets_if_none(serve.text()));
  tell("Bench parameters: " + in_brackets_if_none(bench.text()));
  tell("Number of workload iterations: " + std::to_string(search.iterations));
  tell("Dataset size: " + std::to_string(search.dataset_size));

  const auto run_level = [&](const item& with, std::int64_t value) {
    return run({with_level(with, variable, value), with, value});
  };
  const level_runs serial = run_level(with_level(bench, concurrency_key, 1), 1);
  if (serial.left_out) return {};
  const level_runs batch =
      run_level(with_level(bench, concurrency_key, search.dataset_size), search.dataset_size);
  if (batch.left_out) return {};
  if (!serial.made || !batch.made) {
    tell("Omitting intermediate Workload iterations.");
    tell("[WL END]");
    return {};
  }

  const auto low = static_cast<std::int64_t>(std::ceil(carried_load(serial.runs, variable)));
  tell("Serial inference: " + level_piece(variable, low));
  const auto high = static_cast<std::int64_t>(std::floor(carried_load(batch.runs, variable)));
  tell("Batch inference: " + level_piece(variable, high));

  std::vector<run_object> out = serial.runs;
  for (const std::int64_t level : levels_between(low, high, search.iterations)) {
    tell("Exploring: " + level_piece(variable, level));
    const level_runs found = run_level(bench, level);
    out.insert(out.end(), found.runs.begin(), found.runs.end());
  }
  out.insert(out.end(), batch.runs.begin(), batch.runs.end());
  tell("[WL END]");
  return out;
}

}  // namespace inferbench::sweep

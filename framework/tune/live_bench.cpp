#include "tune/live_bench.hpp"

#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"
#include "experiment/sweep_failures.hpp"
#include "perf/command_words.hpp"
#include "sweep/command.hpp"
#include "tune/logged_process.hpp"
#include "tune/result_text.hpp"
#include "tune/tune_commands.hpp"
#include "tune/tune_results.hpp"

namespace inferbench::tune {

namespace {

namespace fs = std::filesystem;

constexpr auto dying_grace = std::chrono::milliseconds(200);
constexpr auto stop_interval = std::chrono::milliseconds(100);
// inferbench has a result if the client did not keep up, and if a goal was not met.
constexpr int client_not_valid = 3;
constexpr int goal_not_met = 4;

std::string figures_text(const measured_load& of) {
  if (of.nothing_completed) return "no request was completed";
  return fmt::format("throughput {:.2f} req/s, P99 E2EL {:.2f} ms, goodput {:.2f} req/s{}",
                     of.throughput, of.e2el_ms, of.goodput,
                     of.failed > 0 ? fmt::format("; {:.0f} requests failed", of.failed) : "");
}

void remove_result(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace

std::string live_bench::start_server(const server_step& what) {
  stop_server();
  server_log_ = with_.results / server_log(what);
  const std::vector<std::string> words = server_words(with_.request, what, with_.results);
  say("Server: " + perf::shell_line(sweep::without_secrets(words)));
  if (what.purpose == server_purpose::profile)
    experiment::create_folder(profile_folder(with_.results));
  try {
    server_.emplace(
        tuned_server_setup{.words = words,
                           .variables = server_variables(with_.request, what, with_.results),
                           .log = server_log_,
                           .ready_timeout_s = with_.request.ready_timeout_s,
                           .stop = with_.stop});
    return {};
  } catch (const experiment::stopped_sweep&) {
    throw;
  } catch (const base::error& e) {
    if (with_.stop) throw experiment::stopped_sweep();
    return e.what();
  }
}

void live_bench::stop_server() {
  if (!server_) return;
  const int problem = server_->log_problem();
  server_.reset();
  warn_of_log(problem, server_log_);
}

void live_bench::reset_cache() {
  if (with_.request.reset_path.empty() || !server_) return;
  const std::string why = server_->post(with_.request.reset_path);
  if (why.empty() || reset_warned_) return;
  reset_warned_ = true;
  with_.console.aside("Warning: the prefix cache was not emptied: " + why +
                      "; give the path of the server by --reset-path, or none");
}

void live_bench::pause(std::chrono::seconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
    if (with_.stop) throw experiment::stopped_sweep();
    std::this_thread::sleep_for(stop_interval);
  }
}

benchmark_end live_bench::benchmark(const benchmark_step& what) {
  const std::string stem = benchmark_stem(what);
  const fs::path result = with_.results / (stem + ".json");
  const fs::path log = with_.results / (stem + ".txt");
  remove_result(result);
  benchmark_end out;
  const std::optional<ended_command> end = carried_out(
      benchmark_words(with_.request, what, server_->address(), with_.results), log, out.problem);
  if (!end) return out;
  if (end->status != 0 && end->status != client_not_valid && end->status != goal_not_met) {
    out.problem = status_problem("the benchmark", *end, log);
    return out;
  }
  out = figures_of(result);
  // Requests that fail are the first sign of a server that dies.
  if (out.figures && out.figures->failed > 0 && server_->has_ended(dying_grace))
    return {std::nullopt, server_->end_text()};
  std::error_code unknown;
  if (what.profile && fs::is_empty(profile_folder(with_.results), unknown))
    with_.console.aside("Note: the server has written no profile to " +
                        profile_folder(with_.results).string());
  if (out.figures)
    say("Request rate " + number_text(what.rate) + ": " + figures_text(*out.figures));
  return out;
}

search_end live_bench::search(const search_step& what) {
  const std::string stem = search_stem(what);
  const fs::path result = with_.results / (stem + ".json");
  const fs::path log = with_.results / (stem + ".txt");
  remove_result(result);
  search_end out;
  const std::optional<ended_command> end = carried_out(
      search_words(with_.request, what, server_->address(), with_.results), log, out.problem);
  if (!end) return out;
  if (end->status != 0 && end->status != goal_not_met) {
    out.problem = status_problem("the search", *end, log);
    return out;
  }
  search_verdict verdict;
  try {
    verdict = search_verdict_of(*experiment::read_result(result));
  } catch (const base::error& e) {
    out.problem = e.what();
  }
  if (!verdict.problem.empty()) out.problem = verdict.problem;
  if (!verdict.limit) return out;
  // The run at the limit has figures of its own, in its journal.
  const std::string limit_stem = benchmark_log_name(what.options, verdict.limit->rate);
  const fs::path limit_result = with_.results / (limit_stem + ".json");
  const fs::path limit_log = with_.results / (limit_stem + ".txt");
  remove_result(limit_result);
  const std::optional<ended_command> reported =
      carried_out(report_words(verdict.limit->journal, limit_result), limit_log, out.problem);
  if (!reported) return out;
  benchmark_end figures;
  if (reported->status != 0 && reported->status != goal_not_met)
    figures.problem = status_problem("the report of the run at the limit", *reported, limit_log);
  else
    figures = figures_of(limit_result);
  out.problem = figures.problem;
  if (!figures.figures) return out;
  // The result counts the requests that the end of the probe has cancelled as failed.
  figures.figures->failed = 0;
  out.found = accepted_pair{what.options, verdict.limit->rate, *figures.figures};
  say("Largest request rate " + number_text(verdict.limit->rate) + ": " +
      figures_text(*figures.figures));
  return out;
}

void live_bench::record(const std::string& line) {
  recorded_ += line + "\n";
  experiment::write_durably(result_file(), recorded_);
}

void live_bench::say(const std::string& line) { with_.console.line(line); }

std::optional<live_bench::ended_command> live_bench::carried_out(
    const std::vector<std::string>& words, const fs::path& log, std::string& problem) {
  if (with_.stop) throw experiment::stopped_sweep();
  std::optional<int> status;
  std::string last_line;
  try {
    logged_process process(words, log);
    status = process.awaited([this] {
      if (with_.stop) throw experiment::stopped_sweep();
      return server_->has_ended();
    });
    last_line = process.last_lines(1);
    warn_of_log(process.log_problem(), log);
  } catch (const experiment::stopped_sweep&) {
    throw;
  } catch (const base::error& e) {
    if (with_.stop) throw experiment::stopped_sweep();
    problem = e.what();
    return std::nullopt;
  }
  // A benchmark against a server that dies may end before the server's process does.
  if (server_->has_ended(status.value_or(0) == 0 ? std::chrono::milliseconds(0) : dying_grace)) {
    problem = server_->end_text();
    return std::nullopt;
  }
  return ended_command{WIFEXITED(*status) ? WEXITSTATUS(*status) : -1, last_line};
}

benchmark_end live_bench::figures_of(const fs::path& result) const {
  try {
    return benchmark_end_of(*experiment::read_result(result));
  } catch (const base::error& e) {
    return {std::nullopt, e.what()};
  }
}

std::string live_bench::status_problem(const char* what, const ended_command& end,
                                       const fs::path& log) {
  return std::string(what) + " ended " +
         (end.status < 0 ? "by a signal" : "with exit status " + std::to_string(end.status)) +
         (end.last_line.empty() ? "" : ": " + end.last_line) + "; its output is in " + log.string();
}

void live_bench::warn_of_log(int problem, const fs::path& log) {
  if (problem != 0)
    with_.console.aside("Warning: " + log.string() + " is not complete: " + std::strerror(problem));
}

}  // namespace inferbench::tune

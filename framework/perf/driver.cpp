#include "perf/driver.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <inferbench/json_reader.hpp>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/foreground_command.hpp"
#include "experiment/result_file.hpp"
#include "experiment/server.hpp"
#include "experiment/sweep_failures.hpp"
#include "perf/benchmark_words.hpp"
#include "perf/failed_requests.hpp"
#include "perf/refinement.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

// A GPU whose memory is in use up to here counts as free (1 GB, in MiB).
constexpr double free_gpu_mib = 1000;
constexpr auto gpu_wait = std::chrono::seconds(120);
constexpr auto gpu_look_interval = std::chrono::seconds(1);
constexpr auto dying_server_grace = std::chrono::milliseconds(200);

/// Waits until the processes of a test have given the memory of the GPUs back.
class gpu_watch {
 public:
  explicit gpu_watch(const driver_setting& with) : with_(with) {
    // Memory that somebody else uses now may stay in use.
    if (!with.request.dry_run) before_ = gpu_memory_in_use(with.run_tool);
  }

  void await_free() {
    if (before_.empty()) return;
    const auto until = std::chrono::steady_clock::now() + gpu_wait;
    while (!are_free()) {
      if (with_.stop) throw experiment::stopped_sweep();
      if (std::chrono::steady_clock::now() >= until) {
        with_.console.aside("Warning: the memory of a GPU is still in use; the next test may fail");
        return;
      }
      std::this_thread::sleep_for(gpu_look_interval);
    }
  }

 private:
  [[nodiscard]] bool are_free() const {
    const std::vector<double> now = gpu_memory_in_use(with_.run_tool);
    for (std::size_t i = 0; i < std::min(now.size(), before_.size()); ++i)
      if (now[i] > std::max(free_gpu_mib, before_[i])) return false;
    return true;
  }

  const driver_setting& with_;
  std::vector<double> before_;  // in MiB; empty without the tool
};

std::string shown(const std::optional<std::int64_t>& concurrency) {
  return concurrency ? std::to_string(*concurrency) : "none";
}

class test_driver {
 public:
  explicit test_driver(const driver_setting& with)
      : with_(with), request_(with.request), watch_(with) {}

  run_tally carried_out(const chosen_tests& tests) {
    for (const serving_test& each : tests.serving)
      run_serving(each);
    run_offline(test_kind::latency, tests.latency);
    run_offline(test_kind::startup, tests.startup);
    run_offline(test_kind::throughput, tests.throughput);
    return tally_;
  }

 private:
  void run_serving(const serving_test& test) {
    if (is_skipped(test.name, why_skipped(test, request_, with_.devices))) return;
    const test_command command = server_command(test, request_);
    line("Running test case " + test.name);
    line("Server command: " + (request_.remote ? "Using Remote Server " + request_.remote->host +
                                                     " " + std::to_string(request_.remote->port)
                                               : command.line()));
    remove_old_results(test);
    std::unique_ptr<experiment::server> server;
    try {
      if (!request_.remote && !request_.dry_run)
        server = std::make_unique<experiment::server>(
            experiment::server_setup{.command = command.executable(false),
                                     .ready_timeout_s = request_.ready_timeout_s,
                                     .with = surroundings()});
      for (const std::string& rate : test.rates)
        run_rate(test, rate, server.get());
    } catch (const experiment::stopped_sweep&) {
      throw;
    } catch (const experiment::failed_server& e) {
      note_failure(test.name, e.what());
    } catch (const base::error& e) {
      // Only the start of the server throws this type, and files that cannot be written.
      if (server != nullptr || request_.remote || request_.dry_run) throw;
      if (with_.stop) throw experiment::stopped_sweep();
      note_failure(test.name, e.what());
    }
    server.reset();
    if (!request_.remote) watch_.await_free();
  }

  void run_rate(const serving_test& test, const std::string& rate, experiment::server* server) {
    std::vector<judged_point> points;
    for (const std::int64_t concurrency : test.concurrencies)
      points.push_back({concurrency, run_point(test, {rate, concurrency, false}, server)});
    if (!request_.refinement || request_.dry_run) return;
    const refinement_rule& rule = *request_.refinement;
    std::ranges::sort(points, {}, &judged_point::concurrency);
    const passing_range listed = range_of(points);
    const passing_range found = refined(points, rule, [&](std::int64_t concurrency) {
      return probe(test, {rate, concurrency, true}, server);
    });
    experiment::write_durably(search_file(test, rate),
                              summary_text(test.name, rate, rule.limits, listed, found));
    line(
        "At qps " + rate + " the largest concurrency that passed is " + shown(found.last_pass) +
        ", and the smallest above it that failed is " + shown(found.first_fail) +
        "; each verdict rests on 1 run, so its error rate is unknown (inferbench find states one)");
  }

  point_verdict probe(const serving_test& test, const serving_point& at,
                      experiment::server* server) {
    const std::string name = point_name(test, at);
    std::error_code unknown;
    if (!fs::exists(result_file(name, ".json"), unknown)) return run_point(test, at, server);
    line("Reused the result of " + name);
    return verdict_of(name);
  }

  /// Throws failed_server if the server has ended.
  point_verdict run_point(const serving_test& test, const serving_point& at,
                          experiment::server* server) {
    const std::string name = point_name(test, at);
    const test_command command = client_command(test, at, request_);
    line("Running test case " + test.name + " with qps " + at.rate + " and concurrency " +
         std::to_string(at.concurrency));
    line("Client command: " + command.line());
    if (request_.dry_run) return point_verdict::unknown;
    experiment::write_durably(result_file(name, ".commands"),
                              serving_record(test, at, request_, with_.devices.type));
    const bool made = run_benchmark(name, command);
    // A benchmark that ends with an error may have written a result, too, which becomes a row.
    const point_verdict verdict = verdict_of(name);
    if (made) return verdict;
    try {
      if (server != nullptr) server->require_alive(dying_server_grace);
    } catch (const base::error& e) {
      throw experiment::failed_server(e.message(), e.remedy(), e.where());
    }
    return point_verdict::unknown;
  }

  /// Says on the console if requests of the point failed. Unknown if no result can be read.
  point_verdict verdict_of(const std::string& name) {
    const auto result = result_of(name);
    if (result == nullptr) return point_verdict::unknown;
    if (const auto text = failed_requests_text(*result); text) {
      ++tally_.with_failed_requests;
      line("Incomplete test case " + name + ": " + *text);
    }
    return judged(*result, request_.refinement ? request_.refinement->limits : latency_limits{});
  }

  /// nullptr: it cannot be read.
  [[nodiscard]] std::shared_ptr<const ifb::json_document> result_of(const std::string& name) const {
    try {
      return experiment::read_result(result_file(name, ".json"));
    } catch (const base::error&) {
      return nullptr;
    }
  }

  /// Without this, an old result would become a row of the new page if the server does not start or
  /// dies before the point. The results of old probes stay: the search uses them again.
  void remove_old_results(const serving_test& test) const {
    if (request_.dry_run) return;
    for (const std::string& rate : test.rates) {
      for (const std::int64_t concurrency : test.concurrencies)
        for (const char* const ending : {".json", ".commands"})
          remove_old(result_file(point_name(test, {rate, concurrency, false}), ending));
      remove_old(search_file(test, rate));
    }
  }

  static void remove_old(const fs::path& file) {
    std::error_code problem;
    fs::remove(file, problem);
    if (problem)
      throw base::error("cannot remove the old result " + file.string() + ": " + problem.message(),
                        "remove it, or choose another folder by --result-dir");
  }

  void run_offline(test_kind which, const std::vector<offline_test>& tests) {
    for (const offline_test& test : tests) {
      if (is_skipped(test.name, why_skipped(test, request_, with_.devices))) continue;
      const test_command command = offline_command(which, test, request_);
      line("Running test case " + test.name);
      line("Command: " + command.line());
      if (request_.dry_run) continue;
      experiment::write_durably(result_file(test.name, ".commands"),
                                offline_record(which, test, request_, with_.devices.type));
      run_benchmark(test.name, command);
      watch_.await_free();
    }
  }

  /// Whether the benchmark has ended well and written its result.
  bool run_benchmark(const std::string& name, const test_command& command) {
    const fs::path result = result_file(name, ".json");
    std::error_code unknown;
    // A result of an earlier run must not be taken for the result of this run.
    remove_old(result);
    std::string why;
    try {
      const experiment::command_end end = experiment::run_in_foreground(
          command.executable(request_.bench_command.empty()), surroundings());
      if (end.wait_status != 0)
        why = "the benchmark ended with " + supervise::status_text(end.wait_status);
      else if (!fs::exists(result, unknown))
        why = "the benchmark has not written " + result.string();
    } catch (const experiment::failed_run& e) {
      why = e.what();
    }
    if (why.empty())
      ++tally_.made;
    else
      note_failure(name, why);
    return why.empty();
  }

  [[nodiscard]] experiment::command_surroundings surroundings() const {
    return {.console = with_.console, .show_stdout = true, .stop = with_.stop};
  }

  bool is_skipped(const std::string& name, const std::optional<std::string>& why) {
    if (!why) return false;
    ++tally_.skipped;
    line("Skipped test case " + name + ": " + *why);
    return true;
  }

  void note_failure(const std::string& name, const std::string& why) {
    ++tally_.failed;
    line("Failed test case " + name + ": " + why);
  }

  [[nodiscard]] fs::path result_file(const std::string& name, const char* ending) const {
    return fs::path(request_.result_folder) / (name + ending);
  }

  [[nodiscard]] fs::path search_file(const serving_test& test, const std::string& rate) const {
    return result_file(test.name + "_qps_" + rate, search_file_ending);
  }

  void line(const std::string& text) const { with_.console.line(text); }

  const driver_setting& with_;
  const run_request& request_;
  gpu_watch watch_;
  run_tally tally_;
};

}  // namespace

run_tally carry_out(const driver_setting& with, const chosen_tests& tests) {
  return test_driver(with).carried_out(tests);
}

}  // namespace inferbench::perf

// The commands of tests: of the server under test and of the benchmarks, as words and as the texts
// that are recorded beside the results. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perf/devices.hpp"
#include "perf/run_request.hpp"
#include "perf/test_definition.hpp"

namespace inferbench::perf {

/// A command with variables of its environment in front of it, NAME=value.
struct test_command {
  std::vector<std::string> variables;
  std::vector<std::string> words;

  /// The line that is shown and recorded, without secrets.
  [[nodiscard]] std::string line() const;
  /// The words that start the command: by `env` if there are variables. This program stands behind
  /// the first word `inferbench` if `own_program`.
  [[nodiscard]] std::vector<std::string> executable(bool own_program) const;
};

/// A point of a serving test: a rate with a concurrency.
struct serving_point {
  std::string rate;
  std::int64_t concurrency = 0;
  bool probe = false;  // of the search, and not of the lists of the test
};

/// "NAME_qps_inf_concurrency_12": the name of the point's files.
[[nodiscard]] std::string point_name(const serving_test& test, const serving_point& at);

[[nodiscard]] test_command server_command(const serving_test& test, const run_request& request);
/// Writes its result to the file point_name() and ".json" in the folder of results.
[[nodiscard]] test_command client_command(const serving_test& test, const serving_point& at,
                                          const run_request& request);
/// Writes its result to the file with the name of the test and ".json".
[[nodiscard]] test_command offline_command(test_kind which, const offline_test& test,
                                           const run_request& request);

/// The contents of the files `.commands`.
[[nodiscard]] std::string serving_record(const serving_test& test, const serving_point& at,
                                         const run_request& request, const std::string& gpu_type);
[[nodiscard]] std::string offline_record(test_kind which, const offline_test& test,
                                         const run_request& request, const std::string& gpu_type);

/// Why the machine does not run the test, for the user: it has too few devices, or server and
/// client have different models. nullopt: it runs. Devices count 0 if they are not known, and
/// devices of a remote server are not known; then they are not compared.
[[nodiscard]] std::optional<std::string> why_skipped(const serving_test& test,
                                                     const run_request& request,
                                                     const device_set& devices);
[[nodiscard]] std::optional<std::string> why_skipped(const offline_test& test,
                                                     const run_request& request,
                                                     const device_set& devices);

/// Whether the filters and the selector of the request choose the test.
[[nodiscard]] bool chosen(const serving_test& test, const run_request& request);
[[nodiscard]] bool chosen(const offline_test& test, const run_request& request);

}  // namespace inferbench::perf

// Test definitions: the JSON files that say which benchmarks a dashboard runs. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options/node.hpp"

namespace inferbench::perf {

/// The kinds of tests, each with a file of its own.
enum class test_kind : std::uint8_t { serving, latency, startup, throughput };

/// "serving": the beginning of a test's name before "_", and of the file's name before "-tests".
/// For the kinds without a server it is also the name of the benchmark command.
[[nodiscard]] std::string_view name_of(test_kind which);

/// A test of the kind latency, throughput or startup.
struct offline_test {
  std::string name;
  options::node parameters;   // a table: options of the benchmark
  options::node environment;  // a table
};

/// A test of the kind serving: one server, and a benchmark for each rate and each concurrency.
struct serving_test {
  std::string name;
  std::string model;                        // server_parameters.model
  std::vector<std::string> rates;           // as written: "4", "0.5", "inf"; not empty
  std::vector<std::int64_t> concurrencies;  // not empty, each positive
  options::node server;                     // a table: options of the server without `model`
  options::node server_environment;         // a table
  options::node client;                     // a table: options of the benchmark
};

/// The tests of a file with the text `text`, an array of objects. Throws base::error with the
/// position for a text that is not JSON or has another form, a name that is missing, that does not
/// begin with the kind and "_", that cannot be the name of a file, or that an earlier test has, and
/// for an option that the driver sets (output_json).
[[nodiscard]] std::vector<offline_test> offline_tests(test_kind which, std::string_view text,
                                                      const std::string& file);

/// The same for an array of serving tests, or an object with `defaults` and `tests`: qps_list and
/// max_concurrency_list come from the defaults if a test has none, the three objects are merged key
/// by key, where keys are compared literally and the value of the test wins. Without
/// max_concurrency_list the only concurrency is the client's num_prompts. Also throws for a server
/// without a model, for lists that are missing, empty, or hold another value or a value twice, and
/// for options of the client that the driver sets (save_result, result_dir, result_filename).
[[nodiscard]] std::vector<serving_test> serving_tests(std::string_view text,
                                                      const std::string& file);

}  // namespace inferbench::perf

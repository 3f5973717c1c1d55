// The conformance kit runs all tests that apply to a library and to its plugins, each test in a
// separate process. docs/plugin-check.md describes the tests.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "check/outcome.hpp"
#include "check/test.hpp"
#include "plugin/library.hpp"

namespace inferbench::check {

struct wanted {
  std::filesystem::path file;     // path of the library without symbolic links; the library has
                                  // passed the checks of plugin/gate.hpp
  ifb_kind kind = 0;              // only the plugin with this kind and `id` is tested
  std::string id;                 // empty: all plugins of the library are tested
  std::vector<std::string> only;  // names of tests or of groups of tests ("codec"); empty: all
                                  // tests
  std::vector<std::pair<std::string, std::string>> settings;
  std::filesystem::path transcripts;
  std::chrono::milliseconds limit{10'000};
  bool in_process = false;
  std::vector<std::string> command = {"/proc/self/exe", "plugin", "check-one"};
};

struct result {
  const test* what = nullptr;
  ifb_kind kind = 0;  // 0: the result of a test of the library
  std::string id;
  std::string version;
  outcome said;

  /// "backend openai", or "library".
  [[nodiscard]] std::string plugin() const;
};

struct report {
  std::filesystem::path file;
  std::string sha256;
  std::vector<result> results;  // in the order of the table, grouped by plugin

  [[nodiscard]] std::size_t count(verdict v) const;
  /// Whether no test failed or crashed.
  [[nodiscard]] bool good() const;
};

/// Runs the tests and passes each result to `each` as soon as the test has ended. Throws
/// base::error if a test or the plugin does not exist, if no plugin has an option of `settings`, or
/// if all plugins that have the option refuse its value.
[[nodiscard]] report check(const wanted& what, const std::function<void(const result&)>& each);

}  // namespace inferbench::check

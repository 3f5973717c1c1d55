// The conformance kit: every test that applies to a library and to its plugins, each in a
// process of its own. docs/plugin-check.md describes the tests.
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
  std::filesystem::path file;     // has passed the gate, links resolved
  ifb_kind kind = 0;              // with `id`: this plugin alone
  std::string id;                 // empty: all of the library
  std::vector<std::string> only;  // names of tests, or of their groups ("codec"); empty: all
  std::vector<std::pair<std::string, std::string>> settings;
  std::filesystem::path transcripts;
  std::chrono::milliseconds limit{10'000};
  bool in_process = false;
  std::vector<std::string> command = {"/proc/self/exe", "plugin", "check-one"};
};

struct result {
  const test* what = nullptr;
  ifb_kind kind = 0;  // 0: a test of the library
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
  /// Whether nothing failed and nothing crashed.
  [[nodiscard]] bool good() const;
};

/// Runs the tests; `each` gets every result as soon as it is there. Throws base::error: no such
/// test, no such plugin in the library, an option that none of its plugins has.
[[nodiscard]] report check(const wanted& what, const std::function<void(const result&)>& each);

}  // namespace inferbench::check

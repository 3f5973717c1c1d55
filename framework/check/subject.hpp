// A test gets this object: it provides the plugin under test and the options that the user gave,
// and collects the findings. Used by the thread of the test only; any thread may call functions
// that are marked [any].
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/outcome.hpp"
#include "check/task.hpp"
#include "options/environment.hpp"
#include "options/plugin_choice.hpp"
#include "plugin/library.hpp"

namespace inferbench::check {

struct recorded_option {
  std::string name;
  std::string value;
  bool bare = false;  // the value is not a string; `value` is its JSON text

  bool operator==(const recorded_option&) const = default;
};

/// The options of a recorded exchange, which override those of the user.
struct recorded_options {
  std::string name{};  // name of the exchange, for messages
  std::vector<recorded_option> options{};
  std::filesystem::path folder{};  // relative paths are relative to this folder
  bool lenient = false;            // options that the plugin does not have are ignored, and are not
                                   // errors
};

/// Thrown to end a test that cannot be run.
struct skipped {
  std::string why;
};
/// Thrown to end a test because the plugin is too slow to be called again and again.
struct too_slow : skipped {};

/// Thrown if an exception has left a call of the plugin (raw_call.hpp); ends the test.
struct escaped {
  std::string what;
};

/// How soon calls of an engine end if they are not cancelled.
enum class pace : std::uint8_t { unknown, quick, slow };

class subject {
 public:
  subject(const task& given, outcome& out);

  [[nodiscard]] const task& given() const noexcept { return given_; }

  /// Add a failure or a warning. A finding that exists already is not added again. [any]
  void fail(std::string what, std::string remedy = {});
  void warn(std::string what, std::string remedy = {});
  /// Adds a finding, unless its text is empty. [any]
  void add(finding what);
  void note(std::string text);
  [[noreturn]] static void skip(std::string why);
  /// True if there are so many findings that tests stop. [any]
  [[nodiscard]] bool full() const noexcept;

  /// True if the test has used more than this part of its time limit. Loops then end early. [any]
  [[nodiscard]] bool late(double part = 0.5) const;

  /// The plugin. The first call loads it; after that this function is [any]. Skips the test if the
  /// library cannot be loaded; another test reports this.
  [[nodiscard]] const plugin::loaded& plugin();
  /// "backend openai"
  [[nodiscard]] std::string called();
  /// The ids of all plugins in the library that have the same kind as the plugin under test.
  [[nodiscard]] std::vector<std::string> ids();

  /// A value for each option: the value that the user gave, otherwise the default, otherwise a
  /// harmless value if the option is required. Skips the test if no harmless value is known.
  [[nodiscard]] std::vector<options::option_value> values();
  /// A value for each option; the values of a recorded exchange override those of the user. Throws
  /// base::error, which begins with the name of the exchange, if the plugin does not have an option
  /// or if an option refuses its value.
  [[nodiscard]] std::vector<options::option_value> values(const recorded_options& more);

  /// The pace of the first call in this test. It decides how long the test waits for all other
  /// calls. [any]
  [[nodiscard]] pace calls_are() const noexcept { return pace_; }
  void calls_are(pace shown) noexcept { pace_ = shown; }
  /// Call this if a thread of the plugin is still busy and will stay busy until the process ends.
  /// [any]
  void leave_behind();

 private:
  const task& given_;
  mutable std::mutex mutex_;  // guards out_
  outcome& out_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  options::environment environment_;
  plugin::loaded plugin_;
  std::atomic<pace> pace_ = pace::unknown;
};

/// A status as text: "IFB_E_CONFIG", or its number.
[[nodiscard]] std::string name_of_status(ifb_status status);

}  // namespace inferbench::check

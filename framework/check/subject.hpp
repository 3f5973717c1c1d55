// The view of a test: the plugin under test, the options that the user gave, and the place for
// findings. One thread, that of the test, unless a function says otherwise.
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
  bool bare = false;  // the value is not a text; `value` is its JSON

  bool operator==(const recorded_option&) const = default;
};

/// The options of a recorded exchange, which override those of the user.
struct recorded_options {
  std::string name{};  // name of the exchange, for messages
  std::vector<recorded_option> options{};
  std::filesystem::path folder{};  // relative paths start there
  bool lenient = false;            // options that the plugin does not have are left out
};

/// Thrown to end a test that cannot be made.
struct skipped {
  std::string why;
};
/// The same: the plugin is too slow for a test that calls it again and again.
struct too_slow : skipped {};

/// How soon calls of an engine end when nobody cancels them.
enum class pace : std::uint8_t { unknown, quick, slow };

class subject {
 public:
  subject(const task& given, outcome& out);

  [[nodiscard]] const task& given() const noexcept { return given_; }

  /// Add a finding; a finding that is there already is not added again. [any]
  void fail(std::string what, std::string remedy = {});
  void warn(std::string what, std::string remedy = {});
  void note(std::string text);
  [[noreturn]] static void skip(std::string why);
  /// There are findings enough; tests stop looking. [any]
  [[nodiscard]] bool full() const noexcept;

  /// A part of the time limit is used up: loops end, having done less.
  [[nodiscard]] bool late(double part = 0.5) const;

  /// The plugin, loaded by the first call; [any] after that. Skips if the library cannot
  /// be loaded, which another test reports.
  [[nodiscard]] const plugin::loaded& plugin();
  /// "backend openai"
  [[nodiscard]] std::string called();
  /// The ids of all plugins of its kind in the library.
  [[nodiscard]] std::vector<std::string> ids();

  /// A value for each option: the value that the user gave, else the default, else something
  /// harmless if a value is required. Skips the test if no harmless value is known.
  [[nodiscard]] std::vector<options::option_value> values();
  /// The same with the values of a recorded exchange on top. Throws base::error, which begins
  /// with the name of the exchange: an option that the plugin does not have, or a value that
  /// the option does not take.
  [[nodiscard]] std::vector<options::option_value> values(const recorded_options& more);

  /// The pace that the first call of the test has shown; all other calls are treated by it. [any]
  [[nodiscard]] pace calls_are() const noexcept { return pace_; }
  void calls_are(pace shown) noexcept { pace_ = shown; }
  /// A thread of the plugin is still busy, and stays so until the process ends. [any]
  void leave_behind();

 private:
  void tell(finding what);

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

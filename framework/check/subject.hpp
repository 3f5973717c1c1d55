// What a test sees: the plugin that it is about, the options that the user gave, and where
// to say what it finds. One thread, that of the test, but for what says otherwise.
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
  bool bare = false;  // it was no text, and `value` is its JSON

  bool operator==(const recorded_option&) const = default;
};

/// Options of a recorded exchange, which lie over those of the user.
struct recorded_options {
  std::string name{};  // of the exchange, for complaints
  std::vector<recorded_option> options{};
  std::filesystem::path folder{};  // paths among them start there
  bool lenient = false;            // those that the plugin does not have are left out
};

/// Ends a test: what it looks for cannot be looked for.
struct skipped {
  std::string why;
};
/// The same: the plugin is too slow for a test that asks it again and again.
struct too_slow : skipped {};

/// How soon the calls of an engine end that nobody cancels.
enum class pace : std::uint8_t { unknown, quick, slow };

class subject {
 public:
  subject(const task& given, outcome& out);

  [[nodiscard]] const task& given() const noexcept { return given_; }

  /// The same is told once. [any]
  void fail(std::string what, std::string remedy = {});
  void warn(std::string what, std::string remedy = {});
  void note(std::string text);
  [[noreturn]] static void skip(std::string why);
  /// Enough was found; tests stop looking. [any]
  [[nodiscard]] bool full() const noexcept;

  /// Part of the time limit is used up: loops end, having done less.
  [[nodiscard]] bool late(double part = 0.5) const;

  /// Loaded when first asked for; [any] after that. Skips where the library cannot be loaded, which
  /// another test is about.
  [[nodiscard]] const plugin::loaded& plugin();
  /// "backend openai"
  [[nodiscard]] std::string called();
  /// The ids of all plugins of its kind in the library.
  [[nodiscard]] std::vector<std::string> ids();

  /// A value for each option: what the user gave, else the default, else something
  /// harmless where one is required. Skips where nothing harmless can be made up.
  [[nodiscard]] std::vector<options::option_value> values();
  /// The same with those of a recorded exchange on top. Throws base::error, which begins with its
  /// name: an option that the plugin does not have, or a value that is none of its option.
  [[nodiscard]] std::vector<options::option_value> values(const recorded_options& more);

  /// What the first call of the test has shown holds for all: they are treated alike. [any]
  [[nodiscard]] pace calls_are() const noexcept { return pace_; }
  void calls_are(pace shown) noexcept { pace_ = shown; }
  /// Something of the plugin is still busy, and stays so until the process ends. [any]
  void leave_behind();

 private:
  void tell(finding what);

  const task& given_;
  mutable std::mutex mutex_;  // of out_
  outcome& out_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  options::environment environment_;
  plugin::loaded plugin_;
  std::atomic<pace> pace_ = pace::unknown;
};

/// A status as text: "IFB_E_CONFIG", or its number.
[[nodiscard]] std::string name_of_status(ifb_status status);

}  // namespace inferbench::check

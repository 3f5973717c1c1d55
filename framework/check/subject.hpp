// What a test sees: the plugin that it is about, the options that the user gave, and where
// to say what it finds. One thread, that of the test, but for what says otherwise.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "check/outcome.hpp"
#include "config/environment.hpp"
#include "config/plan.hpp"
#include "plugin/library.hpp"

namespace inferbench::check {

/// What a child process is asked to do.
struct task {
  std::filesystem::path file;  // absolute, links resolved
  std::string test;
  ifb_kind kind = 0;  // 0: the library as a whole
  std::string id{};
  std::vector<std::pair<std::string, std::string>>
      settings{};                       // option, value as on a command line
  std::filesystem::path transcripts{};  // folder, or empty
  std::filesystem::path folder{};       // for files of the test
  std::chrono::milliseconds limit{10'000};
};

/// Ends a test: what it looks for cannot be looked for.
struct skipped {
  std::string why;
};

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

  /// A value for each option: what the user gave, else the default, else something
  /// harmless where one is required. Skips where nothing harmless can be made up.
  [[nodiscard]] std::vector<config::option_value> values();
  /// The same with options of a recorded exchange on top; paths among them start at `folder`.
  [[nodiscard]] std::vector<config::option_value> values(
      const std::vector<std::pair<std::string, std::string>>& more,
      const std::filesystem::path& folder);

 private:
  void tell(finding what);

  const task& given_;
  mutable std::mutex mutex_;  // of out_
  outcome& out_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  config::environment environment_;
  plugin::loaded plugin_;
};

/// A status as text: "IFB_E_CONFIG", or its number.
[[nodiscard]] std::string name_of_status(ifb_status status);

}  // namespace inferbench::check

// An experiment in a temporary folder, whose benchmark is tests/fixtures/experiment/bench.sh.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output.hpp"
#include "base/text.hpp"
#include "experiment/experiment.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/parameter_file.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

/// A base::output whose text can be read.
class kept_output {
 public:
  kept_output() : file_(std::tmpfile()), output_(file_) {}
  kept_output(const kept_output&) = delete;
  kept_output& operator=(const kept_output&) = delete;
  ~kept_output() { std::fclose(file_); }

  base::output& get() { return output_; }
  [[nodiscard]] std::string text() {
    output_.flush();
    std::string out(static_cast<std::size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    out.resize(std::fread(out.data(), 1, out.size(), file_));
    return out;
  }

 private:
  std::FILE* file_;
  base::output output_;
};

class experiment_box {
 public:
  experiment_box() {
    plan.bench_command = {"sh", std::string(INFERBENCH_FIXTURES) + "/experiment/bench.sh"};
    plan.serve_items = {sweep::item()};
    plan.bench_items = {sweep::item()};
    plan.output_dir = folder.path();
    plan.experiment = "trip";
    plan.num_runs = 2;
  }

  static std::vector<sweep::item> items(std::string_view json) {
    return sweep::parse_parameters(json, "items.json");
  }

  /// Carries the plan out, and returns what it prints, with short names for the folders.
  std::string carry_out() {
    kept_output out;
    last = experiment::carry_out(plan, out.get(), stop);
    return plain(out.text());
  }

  /// carry_out() for the experiment that is there.
  std::string resume() {
    plan.resume = true;
    return carry_out();
  }

  [[nodiscard]] std::string plain(std::string text) const {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{folder.path(), "RESULTS"},
                                   {INFERBENCH_FIXTURES, "FIXTURES"}})
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
        text.replace(at, from.size(), to);
    return text;
  }

  /// A file of the experiment.
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return std::filesystem::path(folder.path()) / plan.experiment / name;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    return base::read_file(file(name).string());
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(file(name));
  }
  /// The paths and texts of all result files and summaries, in the order of the paths.
  [[nodiscard]] std::map<std::string, std::string> results() const {
    std::map<std::string, std::string> out;
    for (const auto& each : std::filesystem::recursive_directory_iterator(file("")))
      if (const std::string name = each.path().lexically_relative(file("")).string();
          each.is_regular_file() && !name.starts_with("."))
        out[name] = base::read_file(each.path().string());
    return out;
  }

  support::temporary_folder folder;
  sweep::plan plan;
  std::atomic<bool> stop = false;
  outcome last;
};

/// The number of times that `part` is in `text`.
inline std::size_t times(std::string_view part, std::string_view text) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++out;
  return out;
}

}  // namespace inferbench::experiment
